import { describe, expect, it } from 'bun:test'
import { Refusal } from '../../lib/refusal.ts'
import { admin, channelForm, channelWorld, root } from '../test-support/channel-world.ts'
import type { ManyChange } from './change-many.ts'

async function setUp() {
  const world = channelWorld()
  const forms = [
    { models: 'a,b', group: 'default', tag: 'eu' },
    { models: 'b', group: 'default,vip' },
    { models: 'b,c', setting: '{"force_format":true,"proxy":"socks5://ann:pass@proxy.example:1080"}' },
  ]
  for (const form of forms) await world.manage.create(channelForm(form), root)
  world.auditEvents.length = 0
  const events: (readonly number[])[] = []
  world.bus.subscribe('channels-changed', ({ ids }) => events.push(ids))
  const ids = [1, 2, 3]
  const update = (change: ManyChange, actor = root) => world.manage.bulk.update({ ids, ...change }, actor)
  const preview = (change: ManyChange, role: 'root' | 'admin' = 'root') =>
    world.manage.bulk.preview({ ids, ...change }, { role, language: 'en' })
  const all = (field: 'models' | 'groups' | 'tag' | 'setting') =>
    ids.map((id) => world.channels.rows.get(id)?.[field])
  return { ...world, events, update, preview, all }
}

describe('a change of many channels', () => {
  it('adds models to each, in one event, with an audit row for those that changed', async () => {
    const { update, all, events, auditEvents } = await setUp()
    expect(await update({ models: { mode: 'add', names: 'c, b' } })).toEqual([
      { id: 1 },
      { id: 2 },
      { id: 3 },
    ])
    expect(all('models')).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
      ['b', 'c'],
    ])
    expect(events).toEqual([[1, 2]])
    expect(auditEvents.map(({ action, targetId }) => [action, targetId])).toEqual([
      ['channel.update', 1],
      ['channel.update', 2],
    ])
    expect(JSON.stringify(auditEvents[1])).toContain('c')
  })

  it('leaves out a channel that would have no model left, and says why', async () => {
    const { update, preview, all } = await setUp()
    const change = { models: { mode: 'remove', names: 'b' } } as const
    expect((await preview(change)).map(({ message, changes }) => [message, changes])).toEqual([
      ['', [{ field: 'models', lost: ['b'], gained: [] }]],
      ['Please select at least one model', []],
      ['', [{ field: 'models', lost: ['b'], gained: [] }]],
    ])
    expect(all('models')).toEqual([['a', 'b'], ['b'], ['b', 'c']])
    expect(await update(change)).toEqual([
      { id: 1 },
      { id: 2, refusal: new Refusal('channel_models_required') },
      { id: 3 },
    ])
    expect(all('models')).toEqual([['a'], ['b'], ['c']])
  })

  it('sets groups, tag, priority and weight together', async () => {
    const { update, preview, all, channels } = await setUp()
    const change = { group: { mode: 'replace', names: 'vip' }, tag: 'us', priority: 7, weight: 3 } as const
    expect((await preview(change))[1]).toEqual({
      id: 2,
      name: 'main',
      message: '',
      changes: [
        { field: 'priority', lost: ['0'], gained: ['7'] },
        { field: 'weight', lost: ['0'], gained: ['3'] },
        { field: 'group', lost: ['default'], gained: [] },
        { field: 'tag', lost: [], gained: ['us'] },
      ],
    })
    await update(change)
    expect(all('groups')).toEqual([['vip'], ['vip'], ['vip']])
    expect(channels.rows.get(3)).toMatchObject({ tag: 'us', priority: 7, weight: 3 })
    expect(await update({ tag: '' })).toHaveLength(3)
    expect(all('tag')).toEqual(['', '', ''])
    expect(await update({ group: { mode: 'remove', names: 'vip' } })).toContainEqual({
      id: 1,
      refusal: new Refusal('channel_groups_required'),
    })
  })

  it('sets and removes the proxy, keeps other settings, and never shows a password', async () => {
    const { update, preview, all, auditEvents } = await setUp()
    const visible = await preview({ proxy: 'http://bob:secret@other.example:80' })
    expect(visible[2]?.changes).toEqual([
      {
        field: 'proxy',
        lost: ['socks5://ann:***@proxy.example:1080'],
        gained: ['http://bob:***@other.example:80'],
      },
    ])
    await update({ proxy: 'http://bob:secret@other.example:80' })
    expect(all('setting')[2]).toBe('{"force_format":true,"proxy":"http://bob:secret@other.example:80"}')
    expect(JSON.stringify([visible, auditEvents])).not.toContain('secret')
    await update({ proxy: '' })
    expect(all('setting')).toEqual(['', '', '{"force_format":true}'])
  })

  it('sends stored keys through another proxy for root alone', async () => {
    const { update, all } = await setUp()
    const outcomes = await update({ proxy: 'http://other.example:80' }, admin)
    expect(outcomes.map(({ refusal }) => refusal?.code)).toEqual(Array(3).fill('channel_keys_to_move'))
    expect(all('setting')[0]).toBe('')
  })

  it.each<[string, ManyChange, string]>([
    ['nothing', {}, 'channel_no_changes'],
    ['no names', { models: { mode: 'replace', names: ' , ' } }, 'channel_no_changes'],
    ['a weight below 0', { tag: 'x', weight: -1 }, 'channel_number_invalid'],
    ['a status that people do not set', { tag: 'x', status: 3 }, 'channel_status_invalid'],
  ])('is refused with %s', async (_, change, code) => {
    const { update, preview, events } = await setUp()
    for (const call of [() => update(change), () => preview(change)])
      expect(await call().catch((error: unknown) => (error as Refusal).code)).toBe(code as never)
    expect(events).toEqual([])
  })
})
