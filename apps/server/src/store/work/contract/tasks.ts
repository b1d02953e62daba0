import { describe, expect, it } from 'bun:test'
import { rejection } from '../../contract/rejection.ts'
import { unique } from '../../contract/samples.ts'
import { DuplicateError } from '../../errors.ts'
import type { Store } from '../../store.ts'
import type { Task } from '../tasks.ts'

export function newTask(change: Partial<Task> = {}): Omit<Task, 'id'> {
  return {
    platform: 'mj',
    action: 'IMAGINE',
    upstreamId: unique('upstream'),
    reference: unique('reference'),
    upstreamModel: 'mj_imagine',
    keyHash: 'k1',
    charge: '{}',
    userId: 1,
    tokenId: 2,
    channelId: 3,
    group: 'default',
    model: 'mj_imagine',
    holdId: unique('hold'),
    quota: 50_000,
    status: 'SUBMITTED',
    progress: 0,
    submittedMs: 1_750_000_000_123,
    startedMs: 0,
    finishedMs: 0,
    updatedMs: 1_750_000_000_123,
    prompt: 'a cat, "quoted"',
    failReason: '',
    result: '{"a":[1,"ü"]}',
    properties: '',
    ...change,
  }
}

export function taskContract(store: () => Store): void {
  describe('TaskRepository', () => {
    const all = { offset: 0, limit: 100 }

    it('gives back what was created', async () => {
      const task = newTask()
      const created = await store().tasks.create(task)
      expect(created).toEqual({ ...task, id: created.id })
      expect(await store().tasks.find(created.id)).toEqual(created)
      expect(await store().tasks.find(987_654_321)).toBeUndefined()
    })

    it('lets a hold pay for one task; those without a hold are many', async () => {
      const holdId = unique('hold')
      await store().tasks.create(newTask({ holdId }))
      expect(await rejection(store().tasks.create(newTask({ holdId })))).toBeInstanceOf(DuplicateError)
      await store().tasks.create(newTask({ holdId: '' }))
      await store().tasks.create(newTask({ holdId: '' }))
    })

    it('lists newest first by any of the filters, with the total of all pages', async () => {
      const userId = 70_001
      const make = async (change: Partial<Task>) =>
        (await store().tasks.create(newTask({ userId, ...change }))).id
      const drawing = await make({ submittedMs: 1000 })
      const music = await make({ platform: 'suno', action: 'MUSIC', submittedMs: 2000, channelId: 9 })
      const lyrics = await make({ platform: 'suno', action: 'LYRICS', submittedMs: 3000, upstreamId: '' })
      const done = await make({ status: 'SUCCESS', submittedMs: 4000, upstreamId: 'ü-1' })
      await store().tasks.create(newTask({ userId: userId + 1 }))
      const ids = async (filter: object) => {
        const { rows, total } = await store().tasks.page({ userId, ...filter }, all)
        expect(total).toBe(rows.length)
        return rows.map(({ id }) => id)
      }
      expect(await ids({})).toEqual([done, lyrics, music, drawing])
      expect(await ids({ platform: 'suno' })).toEqual([lyrics, music])
      expect(await ids({ platform: ['mj', 'video'] })).toEqual([done, drawing])
      expect(await ids({ channelId: 9 })).toEqual([music])
      expect(await ids({ upstreamId: 'ü-1' })).toEqual([done])
      expect(await ids({ upstreamId: '' })).toEqual([])
      expect(await ids({ status: 'SUCCESS' })).toEqual([done])
      expect(await ids({ action: 'LYRICS' })).toEqual([lyrics])
      expect(await ids({ fromMs: 2000, toMs: 3000 })).toEqual([lyrics, music])
      const page = await store().tasks.page({ userId }, { offset: 1, limit: 2 })
      expect([page.rows.map(({ id }) => id), page.total]).toEqual([[lyrics, music], 4])
    })

    it('changes a task until it is finished, and never after', async () => {
      const { id } = await store().tasks.create(newTask())
      expect(await store().tasks.update(id, { status: 'IN_PROGRESS', progress: 50 })).toBe(true)
      expect(await store().tasks.update(id, { status: 'SUCCESS', finishedMs: 7 })).toBe(true)
      expect(await store().tasks.update(id, { status: 'FAILURE' })).toBe(false)
      expect(await store().tasks.find(id)).toMatchObject({ status: 'SUCCESS', progress: 50, finishedMs: 7 })
      expect(await store().tasks.update(987_654_321, { progress: 1 })).toBe(false)
    })

    it('finds tasks by the ids that their users know, the newest of several', async () => {
      const [first, second] = [unique('id'), unique('id')]
      const make = (change: Partial<Task>) => store().tasks.create(newTask({ userId: 70_100, ...change }))
      await make({ upstreamId: first, submittedMs: 1 })
      const newest = await make({ upstreamId: first, submittedMs: 2 })
      const foreign = await make({ upstreamId: second, userId: 70_101 })
      await make({ upstreamId: '' })
      const { tasks } = store()
      expect(await tasks.findByUpstreamIds('mj', [first, second, ''])).toEqual(
        new Map([
          [first, newest],
          [second, foreign],
        ]),
      )
      expect([...(await tasks.findByUpstreamIds('mj', [first, second], 70_100)).keys()]).toEqual([first])
      expect(await tasks.findByUpstreamIds('suno', [first])).toEqual(new Map())
      expect(await tasks.findByUpstreamIds('mj', [])).toEqual(new Map())
    })

    it('takes back those that no upstream was handed', async () => {
      const waiting = await store().tasks.create(newTask({ reference: '', holdId: '' }))
      const handed = await store().tasks.create(newTask())
      for (const { id } of [waiting, handed]) await store().tasks.discard(id)
      expect(await store().tasks.find(waiting.id)).toBeUndefined()
      expect(await store().tasks.find(handed.id)).toEqual(handed)
    })

    it('returns the accounts with open tasks, and lists their tasks in turn', async () => {
      const channelId = 80_000
      const make = (change: Partial<Task>) => store().tasks.create(newTask({ channelId, ...change }))
      const first = await make({ submittedMs: 5 })
      const second = await make({ submittedMs: 9 })
      const other = await make({ keyHash: 'k2', submittedMs: 7 })
      await make({ finishedMs: 10, status: 'SUCCESS' })
      const accounts = (await store().tasks.openAccounts()).filter((each) => each.channelId === channelId)
      const account = { channelId, platform: 'mj', keyHash: 'k1' } as const
      expect(accounts.toSorted((a, b) => a.latestMs - b.latestMs)).toEqual([
        { ...account, keyHash: 'k2', count: 1, latestMs: 7 },
        { ...account, count: 2, latestMs: 9 },
      ])
      const list = (afterId: number, limit = 10) => store().tasks.listOpen(account, { afterId, limit })
      expect((await list(0)).map(({ id }) => id)).toEqual([first.id, second.id])
      expect((await list(0, 1)).map(({ id }) => id)).toEqual([first.id])
      expect(await list(first.id)).toEqual([
        {
          id: second.id,
          reference: second.reference,
          upstreamModel: second.upstreamModel,
          submittedMs: 9,
          updatedMs: second.updatedMs,
        },
      ])
      expect(other.keyHash).toBe('k2')
    })

    it('changes many at once, but for those that are finished', async () => {
      const open = await store().tasks.create(newTask())
      const done = await store().tasks.create(newTask({ finishedMs: 5, status: 'SUCCESS' }))
      const change = { status: 'IN_PROGRESS', progress: 7, startedMs: 3, updatedMs: 4 } as const
      const texts = { failReason: 'ü', result: '[1]', properties: '{"a":1}' }
      await store().tasks.updateMany([open, done].map(({ id }) => ({ id, ...change, ...texts })))
      await store().tasks.updateMany([])
      expect(await store().tasks.find(open.id)).toEqual({ ...open, ...change, ...texts })
      expect(await store().tasks.find(done.id)).toEqual(done)
      expect(await store().tasks.findOpen([open.id, done.id])).toEqual(
        new Map([[open.id, { ...open, ...change, ...texts }]]),
      )
      expect(await store().tasks.findOpen([])).toEqual(new Map())
    })
  })
}
