import { describe, expect, it } from 'bun:test'
import type { MidjourneyAction } from './actions.ts'
import { readSubmitReply } from './submit-reply.ts'

const read = (code: number, more: object = {}, action: MidjourneyAction = 'IMAGINE', status = 200) =>
  readSubmitReply(status, JSON.stringify({ code, description: 'd', result: '132', ...more }), action)

describe('a response to a submission', () => {
  it.each([
    [1, 'IMAGINE', 'open', true, 1],
    [21, 'IMAGINE', 'open', true, 1],
    [22, 'IMAGINE', 'open', true, 1],
    [21, 'INPAINT', 'open', false, 21],
    [1, 'INPAINT', 'open', false, 1],
    [22, 'CUSTOM_ZOOM', 'open', false, 1],
    [21, 'CUSTOM_ZOOM', 'open', false, 21],
    [1, 'SWAP_FACE', 'open', true, 1],
    [22, 'SWAP_FACE', 'open', false, 1],
    [23, 'IMAGINE', 'failed', false, 23],
    [24, 'IMAGINE', 'failed', false, 24],
    [3, 'IMAGINE', 'failed', false, 3],
    [4, 'IMAGINE', 'failed', false, 4],
    [9, 'IMAGINE', 'failed', false, 9],
    [77, 'IMAGINE', 'failed', false, 77],
    [5, 'IMAGINE', 'none', false, 5],
    [30, 'IMAGINE', 'none', false, 30],
  ] as const)(
    'with code %d to %s is of a task %s, charged: %p, told as %d',
    (code, action, task, isCharged, reported) => {
      const reply = read(code, {}, action)
      expect(reply).toMatchObject({ code, task, isCharged, description: 'd', taskId: '132' })
      expect(JSON.parse(reply?.body ?? '').code).toBe(reported)
    },
  )

  it('changes nothing but the code', () => {
    const body = '{"code" : 22,\n"description":"queued, 1 ahead","result":"074","properties":{"n":1.0}}'
    expect(readSubmitReply(200, body, 'IMAGINE')?.body).toBe(body.replace('22', '1'))
  })

  it('says where a task stands that was there before, and that a dialogue waits', () => {
    const properties = { status: 'SUCCESS', imageUrl: 'https://cdn.example/u.png' }
    expect(read(21, { properties })).toMatchObject({
      status: 'SUCCESS',
      imageUrl: 'https://cdn.example/u.png',
    })
    expect(read(21, { properties: null })).toMatchObject({ status: '' })
    expect(read(21, {}, 'INPAINT')).toMatchObject({ status: 'MODAL' })
  })

  it('of pictures that were put up has no task, and is finished', () => {
    const body = '{"code":1,"description":"success","result":["https://cdn.example/a.png"]}'
    expect(readSubmitReply(200, body, 'UPLOAD')).toMatchObject({
      taskId: '',
      status: 'SUCCESS',
      imageUrl: 'https://cdn.example/a.png',
      isCharged: true,
      body,
    })
  })

  it('is charged for nothing but a 200', () => {
    for (const code of [1, 21, 22])
      expect(read(code, {}, 'IMAGINE', 201)).toMatchObject({ task: 'none', isCharged: false })
    expect(read(4, {}, 'IMAGINE', 400)).toMatchObject({ task: 'failed', isCharged: false })
  })

  it('keeps all digits of an id that is written as a number', () => {
    expect(readSubmitReply(200, '{"code":1,"result":13200981734125461234}', 'IMAGINE')?.taskId).toBe(
      '13200981734125461234',
    )
  })

  it('is `undefined` in another shape, or for a task without an id', () => {
    const bodies = [
      '',
      'x',
      '[]',
      'null',
      '{}',
      '{"code":"1","result":"1"}',
      '{"code":1}',
      '{"code":1,"result":[]}',
    ]
    for (const body of bodies) expect(readSubmitReply(200, body, 'IMAGINE')).toBeUndefined()
  })
})
