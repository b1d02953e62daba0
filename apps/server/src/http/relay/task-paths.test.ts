import { describe, expect, it } from 'bun:test'
import { isRelayPath, relayPath } from './paths.ts'
import { taskForm } from './task-paths.ts'

const routeOf = (line: string) => {
  const [method = '', path = ''] = line.split(' ')
  const match = relayPath(method, path)
  return match.kind === 'drawing' || match.kind === 'music' ? match.route : match
}

describe('paths of work that is finished later', () => {
  it.each([
    [
      'POST /mj/submit/imagine',
      { name: 'submit', action: 'submit/imagine', upstreamPath: '/mj/submit/imagine' },
    ],
    ['POST /mj-fast/mj/submit/change', { name: 'submit', upstreamPath: '/mj/submit/change' }],
    ['POST /quick/mj/submit/change', { name: 'submit', upstreamPath: '/quick/mj/submit/change' }],
    ['POST /mj/insight-face/swap', { name: 'submit', action: 'insight-face/swap' }],
    ['GET /mj/task/12%2F3/fetch', { name: 'fetch', id: '12/3' }],
    ['GET /mj-relax/mj/task/7/image-seed', { name: 'seed', id: '7', upstreamPath: '/mj/task/7/image-seed' }],
    ['POST /mj/task/list-by-condition/', { name: 'list' }],
    ['HEAD /mj/image/7', { name: 'image', id: '7' }],
    ['POST /mj/notify/s', { name: 'notify', secret: 's' }],
    ['POST /mj/notify', { name: 'notify', secret: '' }],
    ['POST /suno/submit/Music', { name: 'submit', action: 'Music' }],
    ['GET /suno/fetch/7', { name: 'fetch', id: '7' }],
    ['POST /suno/fetch', { name: 'list' }],
    ['GET /mj/image/%E0%A4', { name: 'image', id: '%E0%A4' }],
  ])('%s asks for %j', (line, route) => {
    expect(routeOf(line)).toMatchObject(route)
  })

  it.each([
    ['GET /mj/submit/imagine', 'method-not-allowed'],
    ['DELETE /suno/fetch/7', 'method-not-allowed'],
    ['POST /mj/submit/explode', 'unknown'],
    ['POST /mj/submit/__proto__', 'unknown'],
    ['GET /mj/image/a/b', 'unknown'],
    ['GET /suno', 'unknown'],
  ])('%s is %s', (line, kind) => {
    expect(routeOf(line)).toMatchObject({ kind })
  })

  it('are the relay’s, and the console’s lists are not', () => {
    const forms = [
      '/mj/x',
      '/mj',
      '/mj-fast/mj/x',
      '/suno/x',
      '/api/mj/',
      '/api/mj/self',
      '/midjourney',
      '/task',
      '/a/b/mj/',
    ]
    expect(forms.map(taskForm)).toEqual([
      'drawing',
      'drawing',
      'drawing',
      'music',
      ...Array(5).fill(undefined),
    ])
    expect(forms.map(isRelayPath)).toEqual([true, true, true, true, false, false, false, false, false])
  })
})
