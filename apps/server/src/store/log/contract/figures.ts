import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { endOfTime } from '@tollgate/api/calendar'
import fc from 'fast-check'
import type { TestDatabase, TestStore } from '../../contract/place.ts'
import { flushOf, newToken, newUser, settlement } from '../../contract/samples.ts'
import { openStore } from '../../engine/open/open-store.ts'
import type { Store } from '../../store.ts'
import type { GroupUsage } from '../group-usage.ts'
import type { LogRow } from '../index/log-row.ts'
import { base, fillLog, sum, takeOverAll } from './log-samples.ts'

const quarters = fc.integer({ min: -4, max: 28 }).map((quarter) => base + quarter * 900)
/** Any quarters, each as a step or not. */
const range = fc
  .record({ one: quarters, other: quarters, starts: fc.uniqueArray(quarters, { maxLength: 9 }) })
  .map(({ one, other, starts }) => {
    const [from, end] = [Math.min(one, other), Math.max(one, other)]
    const inside = starts.filter((start) => start > from && start < end).sort((a, b) => a - b)
    return { from, end, starts: [from - (from % 3600), ...inside] }
  })

function marginOf(rows: readonly LogRow[]) {
  const costed = rows.filter(({ cost }) => cost !== null)
  return {
    calls: rows.length,
    quota: sum(rows, ({ quota }) => quota),
    costedCalls: costed.length,
    costedQuota: sum(costed, ({ quota }) => quota),
    cost: sum(costed, ({ cost }) => cost ?? 0),
  }
}

function usageOf(model: string, group: string, rows: readonly LogRow[], share: number): GroupUsage {
  const part = (read: (row: LogRow) => number) => sum(rows, read) * share
  return {
    ...{ model, group, calls: rows.length * share, quota: part(({ quota }) => quota) },
    promptTokens: part(({ promptTokens }) => promptTokens),
    completionTokens: part(({ completionTokens }) => completionTokens),
  }
}

export function figuresContract(database: TestDatabase): void {
  describe.each(['open', 'partly taken over', 'taken over'])(
    'FiguresRepository, with quarters %s',
    (state) => {
      let testStore: TestStore
      let store: Store
      let rows: LogRow[]
      let userId: number

      beforeAll(async () => {
        testStore = await database.createTestStore()
        store = await openStore(testStore.config)
        await fillLog(store, 500)
        ;({ rows } = await store.usage.page({}, 1, 1000))
        const { id } = await store.users.create(newUser({ group: 'staff' }))
        userId = id
        for (const group of ['', 'vip', 'vip']) await store.tokens.create(newToken(id, { group }))
        if (state === 'partly taken over')
          for (const quarter of (await store.quarters.listOpen(endOfTime)).filter(
            (_, index) => index % 2 === 0,
          ))
            await store.quarters.takeOver(quarter)
        if (state === 'taken over') await takeOverAll(store)
      })
      afterAll(async () => {
        await store.close()
        await testStore.remove()
      })

      it('has rows of quarters until they are taken over, and no rows of a part of an hour then', async () => {
        const open = await store.quarters.listOpen(endOfTime)
        const [later] = await testStore.sql('select count(*) as n from usage_hourly where hour % 3600 <> 0')
        const [taken] = await testStore.sql('select count(*) as n from usage_quarters')
        expect([open.length === 0, Number(later?.['n']) === 0]).toEqual(
          state === 'taken over' ? [true, true] : [false, false],
        )
        expect(Number(taken?.['n']) > 0).toBe(state !== 'open')
      })

      it('sums by step and model as a scan of every row would, of all users and of one', async () => {
        const who = fc.constantFrom(undefined, 1, 2, 39, 1000)
        await fc.assert(
          fc.asyncProperty(range, who, async (stretch, userId) => {
            const left = rows.filter(
              (row) =>
                row.type === 'consumption' &&
                (userId === undefined || row.userId === userId) &&
                row.createdAt >= stretch.from &&
                row.createdAt < stretch.end,
            )
            const stepOf = (row: LogRow) => stretch.starts.findLast((start) => start <= row.createdAt)
            const expected = new Map<string, LogRow[]>()
            for (const row of left) {
              const testStore = `${stepOf(row)} ${row.model}`
              expected.set(testStore, [...(expected.get(testStore) ?? []), row])
            }
            const found = await store.statistics.list(stretch, userId)
            expect(found).toHaveLength(expected.size)
            for (const { at, model, count, quota, tokens } of found) {
              const those = expected.get(`${at} ${model}`) ?? []
              expect([count, quota, tokens]).toEqual([
                those.length,
                sum(those, (row) => row.quota),
                sum(those, (row) => row.promptTokens + row.completionTokens),
              ])
            }
            expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).toSorted((a, b) => a - b))
          }),
          { numRuns: 60 },
        )
      })

      it('counts calls and failures by model, of a week and of its last day', async () => {
        const [since, today] = [base + 2700, base + 2 * 3600 + 900]
        for (const userId of [undefined, 1, 1000]) {
          const mine = rows.filter((row) => userId === undefined || row.userId === userId)
          const ofType = (type: LogRow['type'], model: string, from: number) =>
            mine.filter((row) => row.type === type && row.model === model && row.createdAt >= from)
          const totals = await store.statistics.modelTotals(since, today, userId)
          const models = new Set(
            mine
              .filter(
                ({ type, createdAt }) => (type === 'consumption' || type === 'error') && createdAt >= since,
              )
              .map(({ model }) => model),
          )
          expect(new Set(totals.map(({ model }) => model))).toEqual(models)
          for (const total of totals)
            expect(total).toEqual({
              model: total.model,
              count: ofType('consumption', total.model, since).length,
              errors: ofType('error', total.model, since).length,
              quota: sum(ofType('consumption', total.model, since), (row) => row.quota),
              tokens: sum(
                ofType('consumption', total.model, since),
                (row) => row.promptTokens + row.completionTokens,
              ),
              todayCount: ofType('consumption', total.model, today).length,
              todayErrors: ofType('error', total.model, today).length,
              todayQuota: sum(ofType('consumption', total.model, today), (row) => row.quota),
              todayTokens: sum(
                ofType('consumption', total.model, today),
                (row) => row.promptTokens + row.completionTokens,
              ),
            })
        }
      })

      it('sums up calls by group and model since any quarter, each once, by what keys were charged', async () => {
        const groups = { staff: [1], vip: [2, 3] }
        const models = ['claude_x', 'gpt-4o', 'gpt-4o-mini', 'o3', 'unknown']
        const wanted = fc.option(fc.subarray(models), { nil: undefined })
        await fc.assert(
          fc.asyncProperty(quarters, wanted, async (since, only) => {
            const charged = rows.filter(({ type, createdAt }) => type === 'consumption' && createdAt >= since)
            const quotaOf = (tokens: readonly number[]) =>
              sum(
                charged.filter(({ tokenId }) => tokens.includes(tokenId)),
                ({ quota }) => quota,
              )
            const all = quotaOf([1, 2, 3])
            const shares: [string, number][] =
              all === 0
                ? [['staff', 1]]
                : Object.entries(groups).map(([name, of]) => [name, quotaOf(of) / all])
            const expected = (only ?? models).flatMap((model) => {
              const calls = charged.filter((row) => row.userId === userId && row.model === model)
              if (calls.length === 0) return []
              return shares.flatMap(([group, share]) =>
                share > 0 ? [usageOf(model, group, calls, share)] : [],
              )
            })
            const found = await store.statistics.groupUsage(since, only)
            const hundredths = ({ model, group, ...figures }: GroupUsage) =>
              [
                model,
                group,
                ...Object.entries(figures).map(([name, figure]) => `${name} ${figure.toFixed(2)}`),
              ].join(' ')
            expect(found.map(hundredths)).toEqual(expected.map(hundredths))
          }),
          { numRuns: 60 },
        )
      })

      it('sums charges and costs by model, channel, user and key as a scan of every row would', async () => {
        const keys = { model: 'model', channel: 'channelId', user: 'userId', token: 'tokenId' } as const
        const by = fc.constantFrom('model', 'channel', 'user', 'token')
        await fc.assert(
          fc.asyncProperty(by, range, fc.boolean(), async (by, { from, end }, alone) => {
            // A call without a key is charged to none.
            const charged = rows.filter(
              (row) =>
                row.type === 'consumption' &&
                row.createdAt >= from &&
                row.createdAt < end &&
                (by !== 'token' || row.tokenId > 0),
            )
            const only = { model: { model: 'o3' }, channel: { id: 3 }, user: { id: 1 }, token: { id: 2 } }[by]
            const wanted = Object.values(only)[0]
            const requested = charged.filter((row) => !alone || row[keys[by]] === wanted)
            const found = await store.statistics.margins({ by, from, end, limit: 3, ...(alone && only) })
            expect(found.total).toEqual(marginOf(requested))
            const groups = new Set(requested.map((row) => row[keys[by]]))
            expect(found.rows).toHaveLength(Math.min(3, groups.size))
            for (const { model, id, ...sums } of found.rows)
              expect(sums).toEqual(
                marginOf(requested.filter((row) => row[keys[by]] === (by === 'model' ? model : id))),
              )
            const quotas = found.rows.map(({ quota }) => quota)
            expect(quotas).toEqual(quotas.toSorted((a, b) => b - a))
          }),
          { numRuns: 60 },
        )
      })

      it('agrees with the log in an audit, which finds a difference', async () => {
        const about = async () => (await store.audit.findings()).map(({ what }) => what)
        const wrong = (all: readonly string[]) =>
          all.filter((what) => what.includes('rollup by model') || what.includes('failures of channel'))
        expect(wrong(await about())).toEqual([])
        await testStore.sql(`update usage_by_model set quota = quota + 1 where model = 'o3' and type = 2`)
        await testStore.sql('update failures_by_channel set count = count + 1 where channel_id = 1')
        const found = wrong(await about())
        expect(
          found.some((what) => what.startsWith('quota of the rollup by model for consumption of o3')),
        ).toBe(true)
        expect(found.some((what) => what.startsWith('failures of channel 1'))).toBe(true)
      })
    },
  )

  it('returns no figures of an empty log', async () => {
    const empty = await database.createTestStore()
    const other = await openStore(empty.config)
    const everything = { from: 0, end: endOfTime, starts: [0] }
    expect(await other.statistics.list(everything)).toEqual([])
    expect(await other.statistics.list(everything, 1)).toEqual([])
    expect(await other.statistics.modelTotals(0, 0)).toEqual([])
    for (const by of ['model', 'channel', 'user'] as const)
      expect(await other.statistics.margins({ by, from: 0, end: endOfTime, limit: 9 })).toEqual({
        total: marginOf([]),
        rows: [],
      })
    await other.close()
    await empty.remove()
  })

  describe('QuarterRepository', () => {
    let testStore: TestStore
    let store: Store
    beforeAll(async () => {
      testStore = await database.createTestStore()
      store = await openStore(testStore.config)
    })
    afterAll(async () => {
      await store.close()
      await testStore.remove()
    })
    const calls = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        settlement(from + index + 1, {
          userId: index % 7,
          tokenId: 0,
          channelId: 3,
          createdAt: base + 900 + index,
        }),
      )
    const sumOf = async (table: string) =>
      Number((await testStore.sql(`select coalesce(sum(quota), 0) as n from ${table}`))[0]?.['n'])

    it('takes a quarter over while calls are added to it, and loses none', async () => {
      const quota = sum(calls(0, 90), (call) => call.quota)
      for (let flush = 0; flush < 8; flush += 1)
        await Promise.all([
          store.ledger.flush(flushOf('one', flush * 90, calls(flush * 90, 90))),
          store.quarters.takeOver(base + 900),
        ])
      await takeOverAll(store)
      expect(await sumOf('usage_hourly')).toBe(8 * quota)
      expect(await sumOf('usage_quarters')).toBe(8 * quota)
      expect((await store.audit.findings()).filter(({ what }) => what.includes('rollup'))).toEqual([])
    })

    it('gives hours from before there were quarters none', async () => {
      await testStore.sql(`update quarter_sums set since = ${base + 3600}`)
      const [before, quarters] = [await sumOf('usage_hourly'), await sumOf('usage_quarters')]
      await store.ledger.flush(flushOf('one', 720, calls(720, 9)))
      await takeOverAll(store)
      expect(await sumOf('usage_hourly')).toBe(before + sum(calls(0, 9), (call) => call.quota))
      expect(await sumOf('usage_quarters')).toBe(quarters)
      expect(await store.quarters.listOpen(endOfTime)).toEqual([])
    })
  })
}
