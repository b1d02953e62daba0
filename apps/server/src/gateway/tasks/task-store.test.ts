import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import type { TaskReport } from '@tollgate/providers'
import { TaskStore } from './task-store.ts'
import { drawing, openTaskWorld, submitted, type TaskWorld, taken } from './test-support/task-world.ts'

let world: TaskWorld

beforeEach(async () => {
  world = await openTaskWorld()
})
afterEach(async () => {
  expect(await world.isBalanced()).toBe(true)
  await world.close()
})

const token = () => ({ id: world.tokenId, unlimited: false })
const success = { state: 'SUCCESS', result: { url: 'x' } } as const
const failure = { state: 'FAILURE', failReason: 'banned' } as const

describe('a task', () => {
  it('is paid for when it is opened, and charged when it succeeds, once', async () => {
    const task = await submitted(world)
    expect(await world.balances()).toEqual([900, 800])
    world.clock.ms += 12_000
    const ends = await Promise.all([1, 2, 3].map(() => world.taskStore.report(task.id, success)))
    expect(ends.some((end) => end?.status === 'SUCCESS')).toBe(true)
    expect(await world.taskStore.report(task.id, failure)).toBeUndefined()
    expect(await world.balances()).toEqual([900, 800])
    expect(await world.rows()).toMatchObject([
      {
        type: 'consumption',
        quota: 100,
        model: 'mj_imagine',
        username: 'alice',
        tokenName: 'key',
        useTimeSeconds: 12,
      },
    ])
    expect(await world.store.tasks.find(task.id)).toMatchObject({
      status: 'SUCCESS',
      progress: 100,
      quota: 100,
      finishedMs: world.clock.ms,
      result: '{"url":"x"}',
    })
  })

  it('is refunded once when it fails, however many reports say so', async () => {
    const task = await submitted(world)
    const ends = [failure, failure, success, failure]
    await Promise.all(ends.map((report) => world.taskStore.report(task.id, report)))
    const ended = await world.store.tasks.find(task.id)
    const paid = ended?.status === 'SUCCESS' ? 100 : 0
    expect(await world.balances()).toEqual([1000 - paid, 900 - paid])
    expect(ended).toMatchObject({ quota: paid, progress: 100 })
    expect(await world.rows()).toHaveLength(1)
  })

  it('costs what it comes to, more or less than was held', async () => {
    const task = await submitted(world, { quota: 130 })
    await world.taskStore.report(task.id, success)
    expect(await world.balances()).toEqual([870, 770])
  })

  it('that cannot be paid for is forgotten', async () => {
    const opened = await world.taskStore.open(drawing(world.userId), { token: token(), amount: 901 })
    expect(opened).toMatchObject({ ok: false, refusal: 'token-quota', balance: 900, needed: 901 })
    expect((await world.store.tasks.page({ userId: world.userId }, { offset: 0, limit: 5 })).total).toBe(0)
    expect(await world.balances()).toEqual([1000, 900])
  })

  it('stays when its hold may have been taken, so that the hold can be found and released', async () => {
    const { ledger } = world
    const broken: typeof ledger.hold = async (request) => {
      await ledger.hold(request)
      throw new Error('the connection is gone')
    }
    const holding = {
      settleHold: ledger.settleHold.bind(ledger),
      releaseHold: ledger.releaseHold.bind(ledger),
    }
    const taskStore = new TaskStore({
      tasks: world.store.tasks,
      ledger: { ...holding, hold: broken },
      clock: world.clock,
      newHoldId: () => 'a doubtful one',
      logs: { consumption: () => true, failures: () => true },
    })
    const opening = taskStore.open(drawing(world.userId), { token: token(), amount: 70 })
    await expect(opening).rejects.toThrow('is gone')
    const { rows } = await world.store.tasks.page({ userId: world.userId }, { offset: 0, limit: 5 })
    expect(rows).toHaveLength(1)
    expect(await world.balances()).toEqual([930, 830])
    for (const { id } of rows) await world.taskStore.report(id, failure)
    expect(await world.balances()).toEqual([1000, 900])
  })

  it('that no upstream has accepted is deleted, and its hold released', async () => {
    const opened = await world.taskStore.open(drawing(world.userId), { token: token(), amount: 50 })
    if (!opened.ok) throw new Error('refused')
    expect(await world.balances()).toEqual([950, 850])
    await world.taskStore.discard(opened.task)
    await world.taskStore.discard(opened.task)
    expect(await world.balances()).toEqual([1000, 900])
    expect(await world.store.tasks.find(opened.task.id)).toBeUndefined()
    expect(await world.rows()).toEqual([])
  })

  it('that an upstream refuses at once costs nothing and is shown with its reason', async () => {
    const task = await submitted(world, { reference: '', upstreamId: '', report: failure })
    expect(task).toMatchObject({ status: 'FAILURE', quota: 0, failReason: 'banned' })
    expect(await world.balances()).toEqual([1000, 900])
    expect(await world.rows()).toMatchObject([{ type: 'error', quota: 0, content: 'banned' }])
  })

  it('whose hold was never taken because of a crash fails and refunds nothing', async () => {
    const { id: _, ...other } = await submitted(world)
    const { id } = await world.store.tasks.create({ ...other, holdId: 'never taken', reference: '' })
    await world.taskStore.report(id, failure)
    expect(await world.store.tasks.find(id)).toMatchObject({ status: 'FAILURE', quota: 0 })
    expect(await world.balances()).toEqual([900, 800])
  })

  it('costs nothing when its price is zero', async () => {
    const opened = await world.taskStore.open(drawing(world.userId), { token: token(), amount: 0 })
    if (!opened.ok) throw new Error('refused')
    const task = await world.taskStore.dispatchTask(opened.task, taken(world.channelId, { quota: 0 }))
    await world.taskStore.report(task.id, success)
    expect(await world.balances()).toEqual([1000, 900])
    expect(await world.rows()).toMatchObject([{ type: 'consumption', quota: 0 }])
  })

  it('keeps what reports do not say, and never goes back', async () => {
    const task = await submitted(world)
    const properties = { image_url: 'https://x/1.png' }
    await world.taskStore.report(task.id, { state: 'IN_PROGRESS', progress: 62.5, startedMs: 5, properties })
    await world.taskStore.report(task.id, { state: 'IN_PROGRESS', progress: 40, startedMs: Number.NaN })
    expect(await world.store.tasks.find(task.id)).toMatchObject({
      status: 'IN_PROGRESS',
      progress: 62,
      startedMs: 5,
      properties: '{"state":"s","image_url":"https://x/1.png"}',
    })
    await world.taskStore.report(task.id, { state: 'IN_PROGRESS', progress: 100 })
    expect((await world.store.tasks.find(task.id))?.progress).toBe(99)
  })

  it('is reported on with many others', async () => {
    const [first, second, third] = [await submitted(world), await submitted(world), await submitted(world)]
    const heard: string[] = []
    world.taskStore.subscribe(({ id, status }) => heard.push(`${id} ${status}`))
    const reports = new Map<number, TaskReport>([
      [first.id, { state: 'IN_PROGRESS', progress: 10 }],
      [second.id, success],
      [third.id, failure],
      [987_654, success],
    ])
    expect(await world.taskStore.reportAll(reports)).toMatchObject({ changed: 3 })
    expect(await world.taskStore.reportAll(reports)).toMatchObject({ changed: 1 })
    expect(await world.balances()).toEqual([800, 700])
    expect(heard.toSorted()).toEqual(
      [
        `${first.id} IN_PROGRESS`,
        `${first.id} IN_PROGRESS`,
        `${second.id} SUCCESS`,
        `${third.id} FAILURE`,
      ].toSorted(),
    )
  })
})
