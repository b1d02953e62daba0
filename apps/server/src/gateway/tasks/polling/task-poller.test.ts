import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { silentLogger } from '../../../billing/test-support/charges.ts'
import { buildSnapshot } from '../../../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import { startUpstreamWorld, type UpstreamWorld } from '../../../upstream/test-support/upstream-world.ts'
import { startPolledUpstream } from '../test-support/polled-upstream.ts'
import {
  drawing,
  midjourneyProvider,
  openTaskWorld,
  pollingOf,
  submitted,
  type TaskWorld,
} from '../test-support/task-world.ts'
import { TaskDeadlines } from './task-deadlines.ts'
import { TaskPoller } from './task-poller.ts'

const hour = 3_600_000
const limits = { dispatchMs: 600_000, finishMs: hour, unreachableMs: 24 * hour }

let world: TaskWorld
let way: UpstreamWorld
let upstream: ReturnType<typeof startPolledUpstream>
let pollers: TaskPoller[]
let gone: boolean

beforeEach(async () => {
  world = await openTaskWorld()
  way = startUpstreamWorld()
  upstream = startPolledUpstream()
  pollers = []
  gone = false
})
afterEach(async () => {
  for (const poller of pollers) await poller.close()
  upstream.stop()
  way.close()
  expect(await world.isBalanced()).toBe(true)
  await world.close()
})

function pollerOf({ batch = 100, isThere = true } = {}): TaskPoller {
  const provider = midjourneyProvider(pollingOf(batch))
  const channel = routedChannel({
    id: world.channelId,
    provider,
    baseUrl: upstream.url,
    keys: ['other', 'k'],
  })
  const { clock } = world
  const poller = new TaskPoller({
    tasks: world.store.tasks,
    taskStore: world.taskStore,
    channels: { snapshot: buildSnapshot(isThere ? [channel] : [], []) },
    isGone: async () => gone,
    upstreams: way.upstreams,
    hashKey: (key) => `hash of ${key}`,
    clock,
    monotonic: clock,
    deadlines: new TaskDeadlines(limits, clock),
    roundMs: 10_000,
    logger: silentLogger,
  })
  pollers.push(poller)
  return poller
}

const onlyTerm = new AbortController().signal

/** Looks after some time has passed, until all that was begun is done. */
async function lookAfter(poller: TaskPoller, ms: number, term = onlyTerm): Promise<void> {
  world.clock.ms += ms
  await poller.look(term)
  await poller.idle()
}

const find = (id: number) => world.store.tasks.find(id)

describe('the poller', () => {
  it('asks about all tasks of an account at once, with its key, and ends them', async () => {
    const first = await submitted(world, { reference: 'a' })
    const second = await submitted(world, { reference: 'b' })
    const third = await submitted(world, { reference: 'c' })
    const poller = pollerOf()
    await lookAfter(poller, 0)
    expect(upstream.seen).toEqual([])
    upstream.said.reports = {
      a: { state: 'IN_PROGRESS', progress: 30 },
      b: { state: 'SUCCESS' },
      c: { state: 'FAILURE', failReason: 'no' },
      stranger: { state: 'SUCCESS' },
    }
    await lookAfter(poller, 2000)
    expect(upstream.seen).toEqual([{ references: ['a', 'b', 'c'], key: 'Bearer k' }])
    expect([await find(first.id), await find(second.id), await find(third.id)]).toMatchObject([
      { status: 'IN_PROGRESS', progress: 30 },
      { status: 'SUCCESS', quota: 100 },
      { status: 'FAILURE', quota: 0, failReason: 'no' },
    ])
    expect(await world.balances()).toEqual([800, 700])
  })

  it('asks about each in turn where a question names one', async () => {
    for (const reference of ['a', 'b', 'c']) await submitted(world, { reference })
    const going = { state: 'IN_PROGRESS' } as const
    upstream.said.reports = { a: going, b: going, c: going }
    const poller = pollerOf({ batch: 1 })
    await lookAfter(poller, 0)
    for (let turn = 0; turn < 7; turn += 1) await lookAfter(poller, 2000)
    expect(upstream.seen.map(({ references }) => references.join())).toEqual([
      'a',
      'b',
      'c',
      'a',
      'b',
      'c',
      'a',
    ])
  })

  it('leaves an upstream alone that fails, longer each time, and goes on when it is back', async () => {
    const task = await submitted(world)
    const poller = pollerOf()
    await lookAfter(poller, 0)
    upstream.said.status = 500
    await lookAfter(poller, 2000)
    expect(upstream.seen).toHaveLength(1)
    await lookAfter(poller, 19_000)
    expect(upstream.seen).toHaveLength(1)
    await lookAfter(poller, 1100)
    expect(upstream.seen).toHaveLength(2)
    upstream.said.status = 200
    upstream.said.reports = { 'up-1': { state: 'SUCCESS' } }
    await lookAfter(poller, 41_000)
    expect(await find(task.id)).toMatchObject({ status: 'SUCCESS' })
  })

  it('ends a task that its upstream no longer knows, once that is said again', async () => {
    const gone = await submitted(world, { reference: 'a' })
    const poller = pollerOf({ batch: 1 })
    upstream.said.status = 404
    await lookAfter(poller, 0)
    await lookAfter(poller, 2000)
    expect(await find(gone.id)).toMatchObject({ status: 'SUBMITTED' })
    await lookAfter(poller, 2000)
    expect(await find(gone.id)).toMatchObject({
      status: 'FAILURE',
      quota: 0,
      failReason: 'The upstream does not know the task, or no longer.',
    })
    expect(await world.balances()).toEqual([1000, 900])
  })

  it('ends a task that lists leave out, but not for one short list', async () => {
    const gone = await submitted(world, { reference: 'a' })
    await submitted(world, { reference: 'b' })
    const poller = pollerOf()
    upstream.said.reports = { b: { state: 'IN_PROGRESS' } }
    await lookAfter(poller, 0)
    for (let turn = 0; turn < 3; turn += 1) await lookAfter(poller, 2000)
    expect(await find(gone.id)).toMatchObject({ status: 'SUBMITTED' })
    await lookAfter(poller, 2000)
    expect(await find(gone.id)).toMatchObject({ status: 'FAILURE', quota: 0 })
    expect(await world.balances()).toEqual([900, 800])
  })

  it('fails a task whose content is refused when it is asked about', async () => {
    const refused = await submitted(world, { reference: 'a' })
    const poller = pollerOf({ batch: 1 })
    upstream.said.status = 400
    upstream.said.error = { code: 'content_policy_violation', message: `Not at ${upstream.url}.` }
    await lookAfter(poller, 0)
    await lookAfter(poller, 2000)
    expect(await find(refused.id)).toMatchObject({
      status: 'FAILURE',
      quota: 0,
      failReason: 'Not at [address]',
    })
  })

  it('finds the one task that breaks every answer about it, and ends the others at once', async () => {
    const tasks = []
    for (let index = 0; index < 6; index += 1) tasks.push(await submitted(world, { reference: `r${index}` }))
    const poller = pollerOf()
    upstream.said.breaking.add('r2')
    upstream.said.reports = Object.fromEntries(
      tasks.map(({ reference }) => [reference, { state: 'SUCCESS' }]),
    )
    await lookAfter(poller, 0)
    await lookAfter(poller, 2000)
    const states = await Promise.all(tasks.map(async ({ id }) => (await find(id))?.status))
    expect(states).toEqual(['SUCCESS', 'SUCCESS', 'SUBMITTED', 'SUCCESS', 'SUCCESS', 'SUCCESS'])
    const requested = upstream.seen.length
    expect(requested).toBeLessThan(12)
    await lookAfter(poller, 2000)
    expect(upstream.seen).toHaveLength(requested)
    upstream.said.breaking.clear()
    await lookAfter(poller, 20_000)
    expect(await world.balances()).toEqual([400, 300])
  })

  it('waits with the whole account when its key is refused, and starts again with another task', async () => {
    for (const reference of ['a', 'b']) await submitted(world, { reference })
    const poller = pollerOf({ batch: 1 })
    upstream.said.status = 401
    await lookAfter(poller, 0)
    await lookAfter(poller, 2000)
    await lookAfter(poller, 19_000)
    expect(upstream.seen).toHaveLength(1)
    upstream.said.status = 200
    upstream.said.reports = { a: { state: 'SUCCESS' }, b: { state: 'SUCCESS' } }
    await lookAfter(poller, 1100)
    await lookAfter(poller, 2000)
    expect(upstream.seen.map(({ references }) => references.join())).toEqual(['a', 'b', 'a'])
    expect(await world.balances()).toEqual([800, 700])
  })

  it('asks once more when the time of a task is over, and charges it when it was made', async () => {
    const made = await submitted(world, { reference: 'a' })
    const late = await submitted(world, { reference: 'b' })
    const poller = pollerOf()
    await lookAfter(poller, 0)
    upstream.said.reports = { a: { state: 'SUCCESS' }, b: { state: 'IN_PROGRESS' } }
    await lookAfter(poller, hour + 1000)
    expect(await find(made.id)).toMatchObject({ status: 'SUCCESS', quota: 100 })
    expect(await find(late.id)).toMatchObject({
      status: 'FAILURE',
      quota: 0,
      failReason: 'The upstream did not finish the task within 60 minutes.',
    })
    expect(await world.balances()).toEqual([900, 800])
  })

  it.each([500, 401])('gives up no task while its upstream is out of order (%d)', async (status) => {
    const task = await submitted(world)
    const poller = pollerOf()
    upstream.said.status = status
    await lookAfter(poller, 0)
    for (let turn = 0; turn < 6; turn += 1) await lookAfter(poller, hour)
    expect(await find(task.id)).toMatchObject({ status: 'SUBMITTED' })
    upstream.said.status = 200
    upstream.said.reports = { 'up-1': { state: 'SUCCESS' } }
    await lookAfter(poller, hour)
    expect(await find(task.id)).toMatchObject({ status: 'SUCCESS' })
    expect(await world.balances()).toEqual([900, 800])
  })

  it.each([500, 401])('gives a task up whose upstream is out of order for a day (%d)', async (status) => {
    const task = await submitted(world)
    const poller = pollerOf()
    upstream.said.status = status
    await lookAfter(poller, 0)
    for (let turn = 0; turn < 4; turn += 1) await lookAfter(poller, 8 * hour)
    expect(await find(task.id)).toMatchObject({
      status: 'FAILURE',
      failReason: `The upstream did not finish the task within 60 minutes. For another 1440 minutes it could not be asked: status ${status}.`,
    })
    expect(await world.balances()).toEqual([1000, 900])
  })

  it('gives a task up at its deadline that alone is out of order', async () => {
    const failing = await submitted(world, { reference: 'a' })
    const poller = pollerOf({ batch: 1 })
    upstream.said.breaking.add('a')
    await lookAfter(poller, 0)
    await lookAfter(poller, hour - 60_000)
    await submitted(world, { reference: 'b' })
    upstream.said.reports = { b: { state: 'IN_PROGRESS' } }
    for (let turn = 0; turn < 4; turn += 1) await lookAfter(poller, 60_000)
    expect(await find(failing.id)).toMatchObject({ status: 'FAILURE', quota: 0 })
    expect(await world.balances()).toEqual([900, 800])
  })

  it('fails tasks that were never handed over', async () => {
    const token = { id: world.tokenId, unlimited: false }
    const opened = await world.taskStore.open(drawing(world.userId), { token, amount: 70 })
    if (!opened.ok) throw new Error('refused')
    const poller = pollerOf()
    await lookAfter(poller, 0)
    await lookAfter(poller, 300_000)
    expect(await find(opened.task.id)).toMatchObject({ status: '' })
    await lookAfter(poller, 301_000)
    expect(await find(opened.task.id)).toMatchObject({ status: 'FAILURE' })
    expect(await world.balances()).toEqual([1000, 900])
    expect(upstream.seen).toEqual([])
  })

  it('fails tasks of a channel that was deleted, and waits for one that is out of reach', async () => {
    const task = await submitted(world)
    const poller = pollerOf({ isThere: false })
    await lookAfter(poller, 0)
    await lookAfter(poller, 2000)
    expect(await find(task.id)).toMatchObject({ status: 'SUBMITTED' })
    gone = true
    await lookAfter(poller, 20_000)
    expect(await find(task.id)).toMatchObject({ status: 'FAILURE', quota: 0 })
    expect(await world.balances()).toEqual([1000, 900])
  })

  it('reads anew what is open when other nodes may have polled meanwhile', async () => {
    await submitted(world)
    const poller = pollerOf()
    const pollFor = async (term: AbortSignal) => {
      for (let turn = 0; turn < 3; turn += 1) await lookAfter(poller, 2000, term)
      return upstream.seen.length
    }
    const requested = await pollFor(new AbortController().signal)
    expect(requested).toBeGreaterThan(0)
    expect(await pollFor(new AbortController().signal)).toBeGreaterThan(requested)
  })

  it('starts no poll when its term is over', async () => {
    await submitted(world)
    const poller = pollerOf()
    for (let turn = 0; turn < 3; turn += 1) await lookAfter(poller, 2000, AbortSignal.abort())
    expect(upstream.seen).toEqual([])
  })
})
