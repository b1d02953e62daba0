import { describe, expect, it } from 'bun:test'
import { admin, channelForm, channelWorld } from '../test-support/channel-world.ts'
import { runDrains } from './drain-channel.ts'
import { drainingCallsText, openWorkOf } from './open-work.ts'
import { runSchedules } from './schedule-channel.ts'

async function setUp() {
  const world = channelWorld()
  await world.manage.create(channelForm(), admin)
  const signal = new AbortController().signal
  const now = () => world.time.now / 1000
  const node = (calls: number | undefined, silentMs = 0) =>
    ({
      silentMs,
      drainingCalls: calls === undefined ? '' : `{"1":${calls}}`,
    }) as (typeof world.open.nodes)[number]
  const later = async (seconds: number) => {
    world.time.now += seconds * 1000
    await runSchedules(world, signal)
    await runDrains(world, signal)
    const { status, drain } = await world.manage.get(1)
    return [status, drain === null ? 'ended' : 'draining']
  }
  const actions = () => world.auditEvents.map(({ action, actorId }) => `${action} ${actorId}`)
  return { ...world, now, node, later, actions }
}

describe('a channel that drains', () => {
  it('takes no new calls, says what is open on all nodes that live, and is disabled once nothing is', async () => {
    const { manage, open, node, later, directory, now, actions } = await setUp()
    open.nodes.push(node(2), node(1), node(7, 60_000))
    open.accounts.push({ channelId: 1, platform: 'suno', keyHash: 'k', count: 4, latestMs: 0 })
    const since = now()
    expect((await manage.drain(1, { stays: false }, admin)).drain).toEqual({
      ...{ since, by: '#2', stays: false, open_calls: 3, open_tasks: 4, silent_nodes: 0 },
    })
    expect(directory.snapshot.tiers('default', 'gpt-4o')).toBeUndefined()
    open.nodes.splice(0, 3, node(0), node(0))
    expect(await later(60)).toEqual([2, 'draining'])
    open.accounts.pop()
    expect(await later(5)).toEqual([2, 'ended'])
    expect(actions().slice(1)).toEqual(['channel.drain 2', 'channel.end-drain 0'])
    expect((await manage.get(1)).other_info).toBe('')
  })

  it('is none of the disabled ones that are deleted together, until it has ended', async () => {
    const { manage, open, node, later } = await setUp()
    open.nodes.push(node(1))
    await manage.drain(1, { stays: false }, admin)
    expect(await manage.bulk.deleteDisabled(admin)).toBe(0)
    open.nodes.splice(0, 1, node(0))
    expect(await later(5)).toEqual([2, 'ended'])
    expect(await manage.bulk.deleteDisabled(admin)).toBe(1)
  })

  it('waits for a node that has not said what is open there, and for calls that were just routed', async () => {
    const { manage, open, node, later } = await setUp()
    open.nodes.push(node(0), node(undefined))
    await manage.drain(1, { stays: false }, admin)
    expect((await manage.get(1)).drain?.silent_nodes).toBe(1)
    expect(await later(60)).toEqual([2, 'draining'])
    open.nodes.pop()
    await manage.update({ id: 1, status: 1 }, admin)
    await manage.drain(1, { stays: false }, admin)
    expect(await later(4)).toEqual([2, 'draining'])
    expect(await later(1)).toEqual([2, 'ended'])
  })

  it('stays for as long as the administrator says, and is in service again when it is switched on', async () => {
    const { manage, open, node, later, actions } = await setUp()
    open.nodes.push(node(0))
    await manage.drain(1, { stays: true }, admin)
    expect(await later(600)).toEqual([2, 'draining'])
    expect((await manage.endDrain(1, admin)).drain).toBeNull()
    expect((await manage.get(1)).status).toBe(2)
    await manage.drain(1, { stays: true }, admin)
    await manage.bulk.update({ ids: [1], status: 1 }, admin)
    expect(await manage.get(1)).toMatchObject({ status: 1, drain: null, other_info: '' })
    await manage.update({ id: 1, status: 2 }, admin)
    expect((await manage.get(1)).drain).toBeNull()
    const count = actions().length
    await manage.endDrain(1, admin)
    expect(actions()).toHaveLength(count)
  })

  it('began when it did, also where another end is chosen for it', async () => {
    const { manage, now, time } = await setUp()
    const since = now()
    await manage.drain(1, { stays: true }, admin)
    time.now += 60_000
    expect((await manage.drain(1, { stays: false }, admin)).drain).toMatchObject({ since, stays: false })
  })

  it('drains first where its schedule switches it off, and is in service when that switches it on', async () => {
    const { manage, open, node, later, now } = await setUp()
    open.nodes.push(node(3))
    await manage.schedule(1, { off_at: now() + 20, on_at: now() + 120 }, admin)
    // No job ran at its time: it drains from now on, and for no less than five seconds.
    expect(await later(60)).toEqual([2, 'draining'])
    expect((await manage.get(1)).drain).toMatchObject({ since: now(), by: '#2', open_calls: 3 })
    expect(await later(60)).toEqual([1, 'ended'])
  })
})

describe('what a node says of its open calls', () => {
  it('names each channel that drains, also one without a call, and nothing of others', async () => {
    const { manage, directory } = await setUp()
    const text = () => drainingCallsText(directory.snapshot, () => new Map([[9, 4]]))
    expect(text()).toBe('{}')
    await manage.drain(1, { stays: false }, admin)
    expect(text()).toBe('{"1":0}')
  })

  it('is added up without nodes that are gone', () => {
    const nodes = [
      { silentMs: 20_000, drainingCalls: '' },
      { silentMs: 3999, drainingCalls: '{"1":2}' },
      // What it says may be about an earlier drain.
      { silentMs: 4000, drainingCalls: '{"1":0}' },
    ]
    expect(openWorkOf([1, 2], nodes, [])).toEqual(
      new Map([
        [1, { calls: 2, tasks: 0, silentNodes: 1 }],
        [2, { calls: 0, tasks: 0, silentNodes: 2 }],
      ]),
    )
  })
})
