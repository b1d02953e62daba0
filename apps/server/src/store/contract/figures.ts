import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { LogRow } from '../log-index/log-row.ts'
import { openStore } from '../open/open-store.ts'
import type { Store } from '../store.ts'
import { base, fillLog, sum } from './log-samples.ts'
import type { TestDatabase, TestStore } from './place.ts'

const hours = fc.integer({ min: -1, max: 6 }).map((hour) => base + hour * 3600)
const range = fc.record({
  from: hours,
  to: hours,
  stepSeconds: fc.constantFrom(3600, 7200, 86_400),
  shiftSeconds: fc.constantFrom(0, 3600, 5400),
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

export function figuresContract(database: TestDatabase): void {
  describe('FiguresRepository', () => {
    let place: TestStore
    let store: Store
    let rows: LogRow[]

    beforeAll(async () => {
      place = await database.createTestStore()
      store = await openStore(place.config)
      await fillLog(store, 500)
      ;({ rows } = await store.usage.page({}, 1, 1000))
    })
    afterAll(async () => {
      await store.close()
      await place.remove()
    })

    const hourOf = (row: LogRow) => row.createdAt - (row.createdAt % 3600)

    it('sums by step and model as a scan of every row would, of all users and of one', async () => {
      const who = fc.constantFrom(undefined, 1, 2, 39, 1000)
      await fc.assert(
        fc.asyncProperty(range, who, async (queriedRange, userId) => {
          const left = rows.filter(
            (row) =>
              row.type === 'consumption' &&
              (userId === undefined || row.userId === userId) &&
              hourOf(row) >= queriedRange.from &&
              hourOf(row) <= queriedRange.to,
          )
          const stepOf = (row: LogRow) =>
            hourOf(row) - ((hourOf(row) + queriedRange.shiftSeconds) % queriedRange.stepSeconds)
          const expected = new Map<string, LogRow[]>()
          for (const row of left) {
            const place = `${stepOf(row)} ${row.model}`
            expected.set(place, [...(expected.get(place) ?? []), row])
          }
          const found = await store.statistics.list(queriedRange, userId)
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

    it('sums what each user spent on each model, as a scan of every row would', async () => {
      const [from, to] = [base, base + 3 * 3600]
      const charged = rows.filter(
        (row) => row.type === 'consumption' && hourOf(row) >= from && hourOf(row) <= to,
      )
      const spend = await store.statistics.spend(from, to)
      expect(new Set(spend.map(({ userId, model }) => `${userId} ${model}`))).toEqual(
        new Set(charged.map(({ userId, model }) => `${userId} ${model}`)),
      )
      expect(spend.length).toBeGreaterThan(2)
      for (const row of spend) {
        const those = charged.filter(({ userId, model }) => userId === row.userId && model === row.model)
        expect(row).toEqual({
          userId: row.userId,
          model: row.model,
          count: those.length,
          quota: sum(those, ({ quota }) => quota),
          promptTokens: sum(those, ({ promptTokens }) => promptTokens),
          completionTokens: sum(those, ({ completionTokens }) => completionTokens),
        })
      }
    })

    it('counts calls and failures by model, of a week and of its last day', async () => {
      const [since, today] = [base, base + 2 * 3600]
      for (const userId of [undefined, 1, 1000]) {
        const mine = rows.filter((row) => userId === undefined || row.userId === userId)
        const ofType = (type: LogRow['type'], model: string, from: number) =>
          mine.filter((row) => row.type === type && row.model === model && row.createdAt >= from)
        const totals = await store.statistics.modelTotals(since, today, userId)
        const models = new Set(
          mine.filter(({ type }) => type === 'consumption' || type === 'error').map(({ model }) => model),
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

    it('sums charges and costs by model, channel and user as a scan of every row would', async () => {
      const keys = { model: 'model', channel: 'channelId', user: 'userId' } as const
      const by = fc.constantFrom('model', 'channel', 'user')
      await fc.assert(
        fc.asyncProperty(by, hours, hours, fc.boolean(), async (by, from, to, alone) => {
          const charged = rows.filter(
            (row) => row.type === 'consumption' && hourOf(row) >= from && hourOf(row) <= to,
          )
          const only = { model: { model: 'o3' }, channel: { id: 3 }, user: { id: 1 } }[by]
          const wanted = Object.values(only)[0]
          const asked = charged.filter((row) => !alone || row[keys[by]] === wanted)
          const found = await store.statistics.margins({ by, from, to, limit: 3, ...(alone && only) })
          expect(found.total).toEqual(marginOf(asked))
          const groups = new Set(asked.map((row) => row[keys[by]]))
          expect(found.rows).toHaveLength(Math.min(3, groups.size))
          for (const { model, id, ...sums } of found.rows)
            expect(sums).toEqual(
              marginOf(asked.filter((row) => row[keys[by]] === (by === 'model' ? model : id))),
            )
          const quotas = found.rows.map(({ quota }) => quota)
          expect(quotas).toEqual(quotas.toSorted((a, b) => b - a))
        }),
        { numRuns: 60 },
      )
    })

    it('returns no figures of an empty log', async () => {
      const empty = await database.createTestStore()
      const other = await openStore(empty.config)
      const everything = { from: 0, to: Number.MAX_SAFE_INTEGER, stepSeconds: 3600, shiftSeconds: 0 }
      expect(await other.statistics.list(everything)).toEqual([])
      expect(await other.statistics.list(everything, 1)).toEqual([])
      expect(await other.statistics.modelTotals(0, 0)).toEqual([])
      for (const by of ['model', 'channel', 'user'] as const)
        expect(
          await other.statistics.margins({ by, from: 0, to: Number.MAX_SAFE_INTEGER, limit: 9 }),
        ).toEqual({
          total: marginOf([]),
          rows: [],
        })
      await other.close()
      await empty.remove()
    })

    it('agrees with the log in an audit, which finds a difference', async () => {
      const about = async () => (await store.audit.findings()).map(({ what }) => what)
      const wrong = (all: readonly string[]) =>
        all.filter((what) => what.includes('rollup by model') || what.includes('failures of channel'))
      expect(wrong(await about())).toEqual([])
      await place.sql(`update usage_by_model set quota = quota + 1 where model = 'o3' and type = 2`)
      await place.sql('update failures_by_channel set count = count + 1 where channel_id = 1')
      const found = wrong(await about())
      expect(
        found.some((what) => what.startsWith('quota of the rollup by model for consumption of o3')),
      ).toBe(true)
      expect(found.some((what) => what.startsWith('failures of channel 1'))).toBe(true)
    })
  })
}
