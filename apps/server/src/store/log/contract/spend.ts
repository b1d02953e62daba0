import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { endOfTime } from '@tollgate/api/calendar'
import { getOrInsert } from '@tollgate/base'
import fc from 'fast-check'
import type { TestDatabase, TestStore } from '../../contract/place.ts'
import { flushOf, settlement } from '../../contract/samples.ts'
import { openStore } from '../../engine/open/open-store.ts'
import type { Store } from '../../store.ts'
import type { LogRow } from '../index/log-row.ts'
import { lineFields } from '../spend/spend-lines.ts'
import { base, fillLog, sum, takeOverAll } from './log-samples.ts'

const quarters = fc.integer({ min: -4, max: 28 }).map((quarter) => base + quarter * 900)
const times = fc
  .tuple(quarters, quarters)
  .map(([one, other]) => ({ from: Math.min(one, other), end: Math.max(one, other) }))

const quotaOf = (rows: readonly LogRow[]) => sum(rows, ({ quota }) => quota)

/** Rows by a field, those with most quota first. */
function byDearest<Key extends 'userId' | 'model'>(rows: readonly LogRow[], field: Key) {
  const groups = new Map<LogRow[Key], LogRow[]>()
  for (const row of rows) getOrInsert(groups, row[field], () => []).push(row)
  return [...groups].sort(([a, those], [b, others]) => quotaOf(others) - quotaOf(those) || (a < b ? -1 : 1))
}

function spendOf(rows: readonly LogRow[], page: { offset: number; limit: number; columns: number }) {
  const models = byDearest(rows, 'model')
    .map(([model]) => model)
    .slice(0, page.columns)
  const users = byDearest(rows, 'userId')
  const figuresOf = (those: readonly LogRow[]) => ({
    count: those.length,
    tokens: sum(those, ({ promptTokens, completionTokens }) => promptTokens + completionTokens),
    quota: quotaOf(those),
    byModel: models.map((model) => quotaOf(those.filter((row) => row.model === model))),
  })
  return {
    models,
    rows: users
      .slice(page.offset, page.offset + page.limit)
      .map(([userId, those]) => ({ userId, ...figuresOf(those) })),
    total: { users: users.length, ...figuresOf(rows) },
  }
}

function linesOf(rows: readonly LogRow[], userId: number) {
  const mine = rows.filter((row) => row.userId === userId)
  return byDearest(mine, 'model').map(([model, those]) => [
    userId,
    model,
    those.length,
    sum(those, ({ promptTokens }) => promptTokens),
    sum(those, ({ completionTokens }) => completionTokens),
    quotaOf(those),
  ])
}

export function spendContract(database: TestDatabase): void {
  describe.each(['open', 'partly taken over', 'taken over'])('spend, with quarters %s', (state) => {
    let testStore: TestStore
    let store: Store
    let rows: LogRow[]

    beforeAll(async () => {
      testStore = await database.createTestStore()
      store = await openStore(testStore.config)
      await fillLog(store, 500)
      ;({ rows } = await store.usage.page({}, 1, 1000))
      if (state === 'partly taken over')
        for (const [index, quarter] of (await store.quarters.listOpen(endOfTime)).entries())
          if (index % 2 === 0) await store.quarters.takeOver(quarter)
      if (state === 'taken over') await takeOverAll(store)
    })
    afterAll(async () => {
      await store.close()
      await testStore.remove()
    })

    const within = ({ from, end }: { readonly from: number; readonly end: number }) =>
      rows.filter((row) => row.type === 'consumption' && row.createdAt >= from && row.createdAt < end)

    it('pages through what users spent, as a scan of every row would, whatever was read before', async () => {
      const pages = fc.record({
        offset: fc.nat(3),
        limit: fc.integer({ min: 1, max: 5 }),
        columns: fc.nat(3),
      })
      await fc.assert(
        fc.asyncProperty(times, pages, async (requested, page) => {
          expect(await store.statistics.spend({ ...requested, ...page })).toEqual(
            spendOf(within(requested), page),
          )
        }),
        { numRuns: 60 },
      )
    })

    it('lists what some users spent on each model, those who spent most first', async () => {
      await fc.assert(
        fc.asyncProperty(times, fc.nat(2), async (requested, skipped) => {
          const spent = within(requested)
          const all = spendOf(spent, { offset: 0, limit: 1000, columns: 0 }).rows.map(({ userId }) => userId)
          const spenders = await store.statistics.spenders(requested)
          expect([...spenders]).toEqual(all)
          const some = spenders.slice(skipped)
          const { models, numbers } = await store.statistics.spendLines(requested, some)
          const lines = Array.from({ length: numbers.length / lineFields.length }, (_, line) =>
            Array.from(numbers.subarray(line * lineFields.length, (line + 1) * lineFields.length)),
          ).map(([userId, model = 0, ...figures]) => [userId, models[model], ...figures])
          expect(lines).toEqual([...some].flatMap((userId) => linesOf(spent, userId)))
        }),
        { numRuns: 30 },
      )
    })
  })

  it.each(['in memory', 'saved'])(
    'has late calls and corrections of a time whose sums are %s',
    async (memory) => {
      const testStore = await database.createTestStore()
      let store = await openStore(testStore.config)
      const requested = { from: base, end: base + 12 * 3600, offset: 0, limit: 9, columns: 2 }
      const quotas = async () => {
        if (memory === 'saved') {
          await store.close()
          store = await openStore(testStore.config)
        }
        const { rows } = await store.statistics.spend(requested)
        if (memory === 'saved') await store.statistics.saveSpend('month', requested, 2)
        return rows.map(({ userId, quota }) => [userId, quota])
      }
      let flushed = 0
      const call = async (userId: number, hour: number, quota: number) => {
        const charge = { userId, tokenId: 0, channelId: 3, createdAt: base + hour * 3600, quota }
        await store.ledger.flush(flushOf('one', flushed, [settlement(flushed + 1, charge)]))
        flushed += 1
      }
      for (let hour = 0; hour < 12; hour += 1) await call(1 + (hour % 2), hour, 100 + hour)
      expect(await quotas()).toEqual([
        [2, 636],
        [1, 630],
      ])
      await call(3, 2, 7)
      await call(1, 11, 90)
      expect(await quotas()).toEqual([
        [1, 720],
        [2, 636],
        [3, 7],
      ])
      // One user gets back what another pays: the total stays.
      await testStore.sql(`insert into corrections (created_at, actor_id, actor_name, reason, selection, state, calls, users, amount,
        ended_at, taken_back_at, taken_back_id, taken_back_by, taken_back_reason)
      values (1, 1, '', '', '{}', 'applied', 2, 2, 0, 5, 0, 0, '', '')`)
      for (const [userId, amount] of [
        [1, -20],
        [2, 20],
      ])
        await testStore.sql(
          `update usage_hourly set quota = quota + ${amount} where user_id = ${userId} and hour < ${base + 2 * 3600} and type = 2`,
        )
      expect(await quotas()).toEqual([
        [1, 700],
        [2, 656],
        [3, 7],
      ])
      await store.close()
      await testStore.remove()
    },
  )

  it('adds to the saved sums of a time, and reads no hour of it again', async () => {
    const testStore = await database.createTestStore()
    const store = await openStore(testStore.config)
    await fillLog(store, 200)
    const requested = { from: base - 900, end: base + 20 * 3600, offset: 0, limit: 9, columns: 2 }
    const expected = await store.statistics.spend(requested)
    await store.statistics.saveSpend('month', { from: base, end: base + 20 * 3600 }, 2)
    await store.close()
    // One user has what another had: the total is the same, so that nothing but the hours of each would show it.
    await testStore.sql(
      'update usage_hourly set user_id = 9000 + user_id where hour < (select max(hour) - 7200 from usage_hourly)',
    )
    const restarted = await openStore(testStore.config)
    expect(await restarted.statistics.spend(requested)).toEqual(expected)
    await restarted.close()
    await testStore.remove()
  })
}
