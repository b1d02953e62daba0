import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { LogRow } from '../entities.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'
import { base, blockRows, fillLog, filter, leaves, sum, untilSealed } from './log-samples.ts'
import type { Place, TestDatabase } from './place.ts'
import { settlement } from './samples.ts'

export function usageContract(database: TestDatabase): void {
  describe('UsageRepository', () => {
    let place: Place
    let store: Store
    let rows: LogRow[]

    beforeAll(async () => {
      place = await database.newPlace()
      store = await openStore({ ...place.config, logBlockRows: blockRows })
      await fillLog(store, 700)
      await untilSealed(place, 700)
      ;({ rows } = await store.usage.page({}, 1, 1000))
    })
    afterAll(async () => {
      await store.close()
      await place.remove()
    })

    it('keeps every row whole, newest first', () => {
      expect(rows).toHaveLength(700)
      const ids = rows.map((row) => row.id)
      expect(ids).toEqual(ids.toSorted((one, other) => other - one))
      expect(rows.at(-1)).toMatchObject({ username: 'ann', isStream: true })
    })

    it('answers any page, total and sum as a look at every row would', async () => {
      const pages = fc.tuple(filter, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100 }))
      await fc.assert(
        fc.asyncProperty(pages, async ([asked, page, size]) => {
          const left = rows.filter((row) => leaves(asked, row))
          const expected = { rows: left.slice((page - 1) * size, page * size), total: left.length }
          expect(await store.usage.page(asked, page, size)).toEqual(expected)
          const charged = left.filter((row) => row.type === 'consumption')
          expect(await store.usage.sumQuota(asked)).toBe(sum(charged, (row) => row.quota))
        }),
        { numRuns: 250 },
      )
    })

    it('counts requests and tokens since a moment, whatever times the filter names', async () => {
      const since = fc.integer({ min: base - 10, max: base + 5 * 3600 })
      await fc.assert(
        fc.asyncProperty(filter, since, async (asked, from) => {
          const { to: _to, ...lasting } = asked
          const left = rows.filter((row) => row.type === 'consumption' && leaves({ ...lasting, from }, row))
          expect(await store.usage.recent(asked, from)).toEqual({
            requests: left.length,
            tokens: sum(left, (row) => row.promptTokens + row.completionTokens),
          })
        }),
        { numRuns: 80 },
      )
    })

    it('shows a page of nothing beyond the last', async () => {
      expect(await store.usage.page({}, 1_000_000, 100)).toEqual({ rows: [], total: 700 })
    })

    it('shows a row as soon as it is written', async () => {
      const found = async () => (await store.usage.page({ userId: 777 }, 1, 10)).total
      await store.usage.append([{ ...settlement(1), type: 'top-up', userId: 777 }])
      expect(await found()).toBe(1)
      await store.usage.append([])
      expect(await found()).toBe(1)
    })

    it('finds the rows of a request by its whole id, sealed or not', async () => {
      const { rows: found } = await store.usage.page({ requestId: 'request-9' }, 1, 100)
      expect(found).toEqual(rows.filter((row) => row.requestId === 'request-9'))
      expect(found.length).toBeGreaterThan(0)
      await store.usage.append([{ ...settlement(1), type: 'system', requestId: 'a-late-one' }])
      expect((await store.usage.page({ requestId: 'a-late-one' }, 1, 10)).total).toBe(1)
      expect((await store.usage.page({ requestId: 'request' }, 1, 10)).total).toBe(0)
    })

    it('agrees with the log in an audit', async () => {
      const about = (await store.audit.findings()).map((finding) => finding.what)
      expect(about.filter((what) => what.includes('log'))).toEqual([])
    })
  })
}
