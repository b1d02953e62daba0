import { describe, expect, it } from 'bun:test'
import { admin, channelForm, channelWorld } from '../test-support/channel-world.ts'
import { runKeySchedules } from './schedule-key.ts'

const keys = ['sk-first-key-0123456789', 'sk-second-key-012345678', 'sk-third-key-0123456789']

async function setUp() {
  const world = channelWorld()
  await world.manage.create(channelForm({ key: keys.join('\n') }), admin)
  const now = () => world.time.now / 1000
  const found = async () => (await world.manage.get(1)).health.keys
  const idOf = async (index: number) => (await found())[index]?.id ?? ''
  const at = async (seconds: number) => {
    world.time.now = seconds * 1000
    await runKeySchedules(world, new AbortController().signal)
    return (await found()).map(({ status }) => status).join()
  }
  const plan = (key_id: string, off_at: number, on_at: number) =>
    world.manage.scheduleKey(1, { key_id, off_at, on_at }, admin)
  return { ...world, now, found, idOf, at, plan }
}

describe('planned switches of a key', () => {
  it('follow the key to another place, switch it once each way, and say who planned them', async () => {
    const { plan, at, now, idOf, found, manage, auditEvents } = await setUp()
    const [off, on] = [now() + 60, now() + 600]
    const second = await idOf(1)
    const planned = await plan(second, off, on)
    expect(planned.health.keys[1]?.schedule).toEqual({ off_at: off, on_at: on, by: '#2' })
    expect(planned.health.keys[0]?.schedule).toBeUndefined()
    const first = { index: 0, hint: 'sk-***789', act: 'delete' } as const
    await manage.changeKey(1, first, admin)
    expect(await at(off - 1)).toBe('enabled,enabled')
    expect(await at(off)).toBe('disabled,enabled')
    await manage.changeKey(1, { ...first, key_id: second, act: 'enable' }, admin)
    expect(await at(off + 5)).toBe('enabled,enabled')
    await manage.changeKey(1, { ...first, key_id: second, act: 'disable' }, admin)
    expect(await at(on)).toBe('enabled,enabled')
    expect((await found())[0]?.schedule).toBeUndefined()
    const bySystem = auditEvents.filter(({ actorId }) => actorId === 0)
    const recorded = bySystem.map(({ action, after }) => [action, JSON.parse(after)])
    expect(recorded).toMatchObject([
      ['channel.update', { key: 'sk-***678', change: 'disable', scheduled_by: '#2' }],
      ['channel.update', { key: 'sk-***678', change: 'enable', scheduled_by: '#2' }],
    ])
  })

  it('switch several keys of a channel at once, and leave the last one in service with the reason', async () => {
    const { plan, at, now, idOf, auditEvents } = await setUp()
    const off = now() + 60
    for (const index of [0, 1, 2]) await plan(await idOf(index), off, 0)
    expect((await at(off)).split(',').filter((status) => status === 'enabled')).toHaveLength(1)
    expect(JSON.parse(auditEvents.at(-1)?.after ?? '')).toMatchObject({ refused: 'channel_last_key' })
    const before = auditEvents.length
    await at(off + 5)
    expect(auditEvents).toHaveLength(before)
  })

  it('wait while the keys of their channel cannot be read, without a wait for others', async () => {
    const { plan, at, now, idOf, manage, channels, keySwitches } = await setUp()
    const other = await manage.create(channelForm({ key: keys.join('\n') }), admin)
    const off = now() + 60
    await plan(await idOf(0), off, 0)
    const keysSealed = (await channels.find(1))?.keysSealed ?? ''
    await manage.scheduleKey(2, { key_id: other.health.keys[1]?.id ?? '', off_at: off, on_at: 0 }, admin)
    await channels.update(1, { keysSealed: 'sealed with another secret' })
    await at(off)
    expect((await keySwitches.listAll()).map(({ channelId }) => channelId)).toEqual([1])
    expect((await manage.get(2)).health.keys[1]?.status).toBe('disabled')
    await channels.update(1, { keysSealed })
    expect(await at(off + 60)).toBe('disabled,enabled,enabled')
  })

  it('are replaced and cancelled, and refused in the past and for no key', async () => {
    const { plan, at, now, idOf, channels } = await setUp()
    const first = await idOf(0)
    await plan(first, now() + 60, 0)
    expect((await plan(first, 0, 0)).health.keys[0]?.schedule).toBeUndefined()
    await expect(plan(first, now() - 1, 0)).rejects.toMatchObject({ code: 'channel_schedule_invalid' })
    await expect(plan('gone', now() + 60, 0)).rejects.toMatchObject({ code: 'channel_key_gone' })
    await channels.update(1, { keyStates: [{ index: 0, status: 'auto-disabled', reason: '', at: 1 }] })
    await plan(first, 0, now() + 60)
    expect(await at(now() + 60)).toBe('auto-disabled,enabled,enabled')
    await plan(first, now() + 60, 0)
    expect(await at(now() + 60)).toBe('disabled,enabled,enabled')
  })

  const ways: Readonly<
    Record<string, (world: Awaited<ReturnType<typeof setUp>>, id: string) => Promise<unknown>>
  > = {
    'the key is deleted': ({ manage }, key_id) =>
      manage.changeKey(1, { index: 0, hint: '', key_id, act: 'delete' }, admin),
    'the key is replaced': ({ manage }, key_id) =>
      manage.changeKey(
        1,
        { index: 0, hint: '', key_id, act: 'replace', key: 'sk-another-key-0123456' },
        admin,
      ),
    'the form has other keys': ({ manage }) => manage.update({ id: 1, key: keys.slice(1).join('\n') }, admin),
  }

  it.each(Object.keys(ways))('are forgotten at once, those of other keys not, when %s', async (way) => {
    const world = await setUp()
    const [first, second] = [await world.idOf(0), await world.idOf(1)]
    for (const id of [first, second]) await world.plan(id, world.now() + 60, 0)
    await ways[way]?.(world, first)
    expect((await world.keySwitches.listAll()).map(({ keyId }) => keyId)).toEqual([second])
  })
})
