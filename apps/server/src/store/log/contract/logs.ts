import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { stepsOf, zoneOf } from '@tollgate/api/calendar'
import { encodeLogEvent } from '@tollgate/api/log-events'
import fc from 'fast-check'
import type { TestDatabase, TestStore } from '../../contract/place.ts'
import { settlement } from '../../contract/samples.ts'
import { openStore } from '../../engine/open/open-store.ts'
import type { Store } from '../../store.ts'
import { reasonOf } from '../index/failures.ts'
import type { LogRow } from '../index/log-row.ts'
import { entryPart, jointPart } from '../index/spans/span-parts.ts'
import { base, fillLog, filter, indexing, leaves, sum, waitUntilSealed } from './log-samples.ts'

const zoneNamed = (time_zone: string) => zoneOf({ time_zone, utc_offset: 0 })

export function usageContract(database: TestDatabase): void {
  describe('UsageRepository', () => {
    let location: TestStore
    let store: Store
    let rows: LogRow[]

    beforeAll(async () => {
      location = await database.createTestStore()
      store = await openStore({ ...location.config, ...indexing })
      await fillLog(store, 700)
      await waitUntilSealed(location, 700)
      ;({ rows } = await store.usage.page({}, 1, 1000))
    })
    afterAll(async () => {
      await store.close()
      await location.remove()
    })

    it('returns the rows of calls behind an id in their order, in batches without holes', async () => {
      const upTo = await store.usageExports.settledId()
      expect(upTo).toBe(rows[0]?.id ?? 0)
      const calls = rows.filter(({ type }) => type === 'consumption' || type === 'error').toReversed()
      const read: LogRow[] = []
      for (let after = 0; ; after = read.at(-1)?.id ?? 0) {
        const batch = await store.usageExports.callsAfter(after, upTo, 97)
        read.push(...batch)
        if (batch.length < 97) break
      }
      expect(read).toEqual(calls)
      expect(await store.usageExports.callsAfter(0, (calls[2]?.id ?? 0) - 1, 97)).toEqual(calls.slice(0, 2))
    })

    it('remembers how far each destination is, moves it from where it was alone, and forgets it', async () => {
      const { usageExports } = store
      expect(await usageExports.position('s3')).toBeUndefined()
      await usageExports.start('s3', 5)
      await usageExports.start('s3', 9)
      await usageExports.start('webhook', 7)
      expect(await usageExports.advance('s3', 5, 8)).toBe(true)
      expect(await usageExports.advance('s3', 5, 9)).toBe(false)
      expect([await usageExports.position('s3'), await usageExports.position('webhook')]).toEqual([8, 7])
      await usageExports.forget('s3')
      expect([await usageExports.position('s3'), await usageExports.position('webhook')]).toEqual([
        undefined,
        7,
      ])
    })

    it('returns every complete row, newest first', () => {
      expect(rows).toHaveLength(700)
      const ids = rows.map((row) => row.id)
      expect(ids).toEqual(ids.toSorted((one, other) => other - one))
      expect(rows.at(-1)).toMatchObject({ username: 'ann', isStream: true })
    })

    it('returns every page, total and sum as a scan of all rows would', async () => {
      const pages = fc.tuple(filter, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100 }))
      await fc.assert(
        fc.asyncProperty(pages, async ([logFilter, page, size]) => {
          const left = rows.filter((row) => leaves(logFilter, row))
          const expected = { rows: left.slice((page - 1) * size, page * size), total: left.length }
          expect(await store.usage.page(logFilter, page, size)).toEqual(expected)
          const charged =
            logFilter.type === undefined ? left.filter((row) => row.type === 'consumption') : left
          expect(await store.usage.sumQuota(logFilter)).toBe(sum(charged, (row) => row.quota))
        }),
        { numRuns: 250 },
      )
    })

    it('ranks by charge and by duration as a sort of all rows would, and finds each by its id', async () => {
      const ranked = fc.tuple(filter, fc.constantFrom('quota', 'duration'), fc.integer({ min: 1, max: 30 }))
      await fc.assert(
        fc.asyncProperty(ranked, async ([logFilter, figure, size]) => {
          const figureOf = (row: LogRow) => (figure === 'quota' ? row.quota : row.useTimeSeconds)
          const left = rows.filter((row) => leaves(logFilter, row))
          const expected = left.toSorted((a, b) => figureOf(b) - figureOf(a) || b.id - a.id).slice(0, size)
          const top = await store.usage.top(logFilter, figure as 'quota', size)
          expect([top.rows.map(({ id }) => id), top.complete]).toEqual([expected.map(({ id }) => id), true])
        }),
        { numRuns: 150 },
      )
      const row = rows[300]
      if (row === undefined) throw new Error('the log has too few rows')
      expect(await store.usage.find(row.id, { at: row.createdAt, userId: row.userId })).toEqual(row)
      expect(await store.usage.find(row.id, { userId: row.userId + 1 })).toBeUndefined()
    })

    it('reads spans of a version that had no sums of combinations, and makes them anew', async () => {
      const joint = `log_span_parts where id % 2048 in (${[0, 1, 2, 3].map((model) => jointPart('model', model)).join(', ')})`
      const count = async () => Number((await location.sql(`select count(*) as n from ${joint}`))[0]?.['n'])
      const complete = await count()
      expect(complete).toBeGreaterThan(2)
      const left = rows.filter(({ model, group }) => model === 'o3' && group === 'vip')
      const total = async () => (await store.usage.page({ model: 'o3', group: 'vip' }, 1, 5)).total
      expect(await total()).toBe(left.length)
      await location.sql(`delete from ${joint}`)
      expect(await total()).toBe(left.length)
      const other = await openStore({ ...location.config, ...indexing })
      while ((await count()) < complete) await Bun.sleep(5)
      await other.close()
      expect(await total()).toBe(left.length)
    })

    it('counts calls and errors by step as a scan of all rows would', async () => {
      const steps = fc.record({
        seconds: fc.constantFrom(60, 900, 3600, 7200, 86_400),
        zone: fc.constantFrom('UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns').map(zoneNamed),
      })
      await fc.assert(
        fc.asyncProperty(filter, steps, async (logFilter, { seconds, zone }) => {
          const all = stepsOf({ from: base - 10, to: base + 6 * 3600 }, { seconds }, zone).starts
          const left = rows.filter((row) => leaves(logFilter, row))
          const at = (row: LogRow) => all.findLast((start) => start <= row.createdAt) ?? 0
          const counts = (type: LogRow['type'], start: number) =>
            left.filter((row) => row.type === type && at(row) === start).length
          const starts = [...new Set(left.map(at))].sort((a, b) => a - b)
          const sorted = starts
            .map((start) => ({
              at: start,
              calls: counts('consumption', start),
              errors: counts('error', start),
            }))
            .filter(({ calls, errors }) => calls + errors > 0)
          expect(await store.usage.histogram(logFilter, all)).toEqual(sorted)
        }),
        { numRuns: 150 },
      )
    })

    it('groups failed calls as a scan of all rows would, and pages those of one reason', async () => {
      const reasons = fc.constantFrom(undefined, 'upstream_error', 'no_available_channel', '', 'unknown')
      await fc.assert(
        fc.asyncProperty(filter, reasons, async ({ type: _type, ...others }, reason) => {
          const logFilter = { ...others, ...(reason !== undefined && { reason }) }
          const left = rows.filter((row) => row.type === 'error' && leaves(logFilter, row))
          const { groups, complete } = await store.usage.failures(logFilter)
          expect(complete).toBe(true)
          expect(sum(groups, ({ count }) => count)).toBe(left.length)
          for (const group of groups) {
            const those = left.filter(
              (row) =>
                reasonOf(row.other) === group.reason &&
                row.model === group.model &&
                row.userId === group.userId &&
                row.channelId === group.channelId,
            )
            const times = those.map((row) => row.createdAt)
            expect([those.length, Math.min(...times), Math.max(...times)]).toEqual([
              group.count,
              group.firstAt,
              group.lastAt,
            ])
          }
          if (reason === undefined) return
          const failed = { ...logFilter, type: 'error' as const }
          expect(await store.usage.page(failed, 2, 7)).toEqual({
            rows: left.slice(7, 14),
            total: left.length,
          })
          const counted = await store.usage.histogram(failed, [base - 3600])
          expect(sum(counted, ({ errors }) => errors)).toBe(left.length)
        }),
        { numRuns: 80 },
      )
    })

    it('completes the index of blocks that a program sealed which knew no failover', async () => {
      const filters = [{ triedChannelId: 2 }, { isRescued: true }, { isRescued: true, triedChannelId: 1 }]
      const totals = () =>
        Promise.all(filters.map(async (each) => (await store.usage.page(each, 1, 1)).total))
      const expected = filters.map((each) => rows.filter((row) => leaves(each, row)).length)
      expect(await totals()).toEqual(expected)
      await location.sql('delete from log_block_parts where id % 256 = 240')
      await location.sql(`delete from log_span_parts where id % 2048 = ${entryPart('failover', 0)}`)
      expect(await totals()).not.toEqual(expected)
      await store.close()
      store = await openStore({ ...location.config, ...indexing })
      while ((await totals()).join() !== expected.join()) await Bun.sleep(5)
      const [left] = await location.sql(
        `select count(*) as n from log_span_parts where id % 2048 = ${entryPart('failover', 0)}`,
      )
      expect(Number(left?.['n'])).toBeGreaterThan(1)
    })

    it('counts requests and tokens since a moment, whatever times the filter names', async () => {
      const since = fc.integer({ min: base - 10, max: base + 5 * 3600 })
      await fc.assert(
        fc.asyncProperty(filter, since, async (logFilter, from) => {
          const { to: _to, ...lasting } = logFilter
          const left = rows.filter((row) => row.type === 'consumption' && leaves({ ...lasting, from }, row))
          expect(await store.usage.recent(logFilter, from)).toEqual({
            requests: left.length,
            tokens: sum(left, (row) => row.promptTokens + row.completionTokens),
          })
        }),
        { numRuns: 80 },
      )
    })

    it('reads all of a filter in batches, every row once, newest first', async () => {
      await fc.assert(
        fc.asyncProperty(filter, fc.integer({ min: 1, max: 60 }), async (logFilter, size) => {
          const read: LogRow[] = []
          let before: number | undefined
          do {
            const batch = await store.usage.batch(logFilter, before, size)
            expect(batch.rows.length).toBeLessThanOrEqual(size)
            read.push(...batch.rows)
            before = batch.next
          } while (before !== undefined)
          expect(read).toEqual(rows.filter((row) => leaves(logFilter, row)))
        }),
        { numRuns: 60 },
      )
    })

    it('finds rows by the start of their content, whatever the case, and reports an incomplete search', async () => {
      await store.usage.append([
        { ...settlement(1), type: 'system', userId: 901, content: 'Welcome: 100% off' },
        { ...settlement(2), type: 'top-up', userId: 901, content: 'welcome back' },
        { ...settlement(3), type: 'management', userId: 901, content: 'you are welcome' },
        { ...settlement(4), type: 'system', userId: 902, content: 'welcome' },
      ])
      const reader = { language: 'zh', DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 } as const
      const search = { filter: { userId: 901 }, reader, limit: 10, maxScanned: 100 }
      const contents = async (content: string, change: object = {}) => {
        const found = await store.usage.search({ ...search, content, ...change })
        return { ...found, rows: found.rows.map((row) => row.content) }
      }
      expect(await contents('WELCOME')).toEqual({
        rows: ['welcome back', 'Welcome: 100% off'],
        total: 2,
        complete: true,
      })
      expect(await contents('welcome', { limit: 1 })).toMatchObject({ rows: ['welcome back'], total: 2 })
      const gift = encodeLogEvent({ event: 'gift_new_account', params: { quota: 1_000_000 } })
      await store.usage.append([{ ...settlement(5), type: 'system', userId: 901, ...gift }])
      expect(await contents('新用户赠送 ＄2')).toMatchObject({ rows: [gift.content], total: 1 })
      expect(await contents('gift for')).toMatchObject({ total: 0 })
      expect(await contents('%')).toEqual({ rows: [], total: 0, complete: true })
      expect(await contents('welcome', { maxScanned: 3 })).toEqual({
        rows: ['welcome back'],
        total: 1,
        complete: false,
      })
      const sealed = await store.usage.search({
        filter: {},
        reader,
        content: 'MODEL ratio',
        limit: 5,
        maxScanned: 300,
      })
      expect(sealed.rows).toHaveLength(5)
      expect(sealed.complete).toBe(false)
      const all = await store.usage.search({
        filter: { userId: 39 },
        reader,
        content: '',
        limit: 100,
        maxScanned: 1000,
      })
      expect(all.rows).toEqual((await store.usage.page({ userId: 39 }, 1, 100)).rows)
      expect(all.complete).toBe(true)
    })

    it('returns an empty page beyond the last', async () => {
      const { total } = await store.usage.page({}, 1, 1)
      expect(await store.usage.page({}, 1_000_000, 100)).toEqual({ rows: [], total })
    })

    it('shows a row as soon as it is written', async () => {
      const found = async () => (await store.usage.page({ userId: 777 }, 1, 10)).total
      await store.usage.append([{ ...settlement(1), type: 'top-up', userId: 777 }])
      expect(await found()).toBe(1)
      await store.usage.append([])
      expect(await found()).toBe(1)
    })

    it('finds the rows of a request by its complete id, sealed or not', async () => {
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
