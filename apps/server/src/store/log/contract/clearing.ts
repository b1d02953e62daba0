import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { TestDatabase, TestStore } from '../../contract/place.ts'
import { rejection } from '../../contract/rejection.ts'
import { flushOf, settlement } from '../../contract/samples.ts'
import { openStore } from '../../engine/open/open-store.ts'
import type { Store } from '../../store.ts'
import type { LogRow } from '../index/log-row.ts'
import { base, blockRows, fillLog, filter, indexing, leaves, sum, waitUntilSealed } from './log-samples.ts'

const filled = 700
/** Time in the middle of the rows, and of an hour, after the end of a month. */
const boundary = base + 3 * 3600 + 1000

export function clearingContract(database: TestDatabase): void {
  describe('UsageRepository, clearing old rows', () => {
    /** Each test gets a copy of it. */
    let filledPosition: TestStore
    let testStore: TestStore
    let store: Store

    beforeAll(async () => {
      filledPosition = await database.createTestStore()
      const filling = await openStore({ ...filledPosition.config, ...indexing })
      await fillLog(filling, filled)
      await waitUntilSealed(filledPosition, filled)
      await filling.close()
    })
    afterAll(() => filledPosition.remove())
    beforeEach(async () => {
      testStore = await filledPosition.copy()
      store = await openStore({ ...testStore.config, ...indexing })
    })
    afterEach(async () => {
      await store.close()
      await testStore.remove()
    })

    const allRows = async () => (await store.usage.page({}, 1, 10_000)).rows
    /** The audit of this suite's rows; its accounts do not exist. */
    const findings = () => store.audit.findings()

    async function expectSameAsFullScan(rows: readonly LogRow[]): Promise<void> {
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
        { numRuns: 60 },
      )
    }

    it('leaves every newer row, and a consistent index and audit', async () => {
      const retained = (await allRows()).filter((row) => row.createdAt >= boundary)
      const steps: number[] = []
      expect(await store.usage.clearBefore(boundary, (deleted) => steps.push(deleted))).toBe(
        filled - retained.length,
      )
      expect(steps.at(-1)).toBe(filled - retained.length)
      expect(steps).toEqual(steps.toSorted((a, b) => a - b))
      expect(await allRows()).toEqual(retained)
      await expectSameAsFullScan(retained)
      expect(await findings()).toEqual([])
      expect(await store.usage.clearBefore(boundary)).toBe(0)
    })

    it('stops between two batches when its signal aborts, with correct sums, and continues when called again', async () => {
      const retained = (await allRows()).filter((row) => row.createdAt >= boundary)
      const cancelled = new AbortController()
      const first = await store.usage.clearBefore(boundary, () => cancelled.abort(), cancelled.signal)
      expect(first).toBeGreaterThan(0)
      expect(await allRows()).toHaveLength(filled - first)
      expect(await findings()).toEqual([])
      expect(await store.usage.clearBefore(boundary)).toBe(filled - retained.length - first)
      expect(await allRows()).toEqual(retained)
      expect(await findings()).toEqual([])
    })

    it('forgets the sums over a block that it cuts, and makes them anew with the next block', async () => {
      const spans = async () =>
        (await testStore.sql('select id, last_block, count from log_spans order by id')).map((row) => [
          Number(row['id']),
          Number(row['count']),
        ])
      const [first, ...others] = await spans()
      const [oldest] = (await allRows()).toReversed()
      await testStore.sql(`update logs set created_at = ${base - 1} where id = ${oldest?.id}`)
      await testStore.sql(`update log_blocks set min_at = ${base - 1} where id = 1`)
      await store.usage.clearBefore(base)
      expect(await spans()).toEqual(others)
      const later = Array.from({ length: blockRows }, (_, index) =>
        settlement(index + 1, { createdAt: base + 4 * 3600 }),
      )
      await store.ledger.flush(flushOf('two', 0, later))
      while ((await spans()).length === others.length) await Bun.sleep(5)
      expect((await spans())[0]).toEqual([1, (first?.[1] ?? 0) - 1])
      await expectSameAsFullScan(await allRows())
    })

    it('continues with later rows, old ones among them', async () => {
      await store.usage.clearBefore(boundary)
      const rows = await allRows()
      const late = Array.from({ length: 3 * blockRows }, (_, index) =>
        settlement(index + 1, { createdAt: base + index * 200 }),
      )
      await store.ledger.flush(flushOf('two', 0, late))
      await waitUntilSealed(testStore, late.length)
      const both = await allRows()
      expect(both).toHaveLength(rows.length + late.length)
      await expectSameAsFullScan(both)
      expect(await findings()).toEqual([])
      await store.usage.clearBefore(boundary + 7200)
      expect((await allRows()).every((row) => row.createdAt >= boundary + 7200)).toBe(true)
      expect(await findings()).toEqual([])
    })

    it('clears everything, and accepts new rows', async () => {
      expect(await store.usage.clearBefore(base + 365 * 86_400)).toBe(filled)
      expect(await store.usage.page({}, 1, 10)).toEqual({ rows: [], total: 0 })
      expect(await store.usage.sumQuota({})).toBe(0)
      for (const table of ['log_block_parts', 'log_spans', 'log_span_parts']) {
        const left = await testStore.sql(`select count(*) as n from ${table}`)
        expect([table, Number(left[0]?.['n'])]).toEqual([table, 0])
      }
      await store.usage.append([{ ...settlement(1), type: 'system', createdAt: base + 500 * 86_400 }])
      expect((await allRows()).map((row) => row.type)).toEqual(['system'])
      expect(await findings()).toEqual([])
    })

    it('leaves sums by which a wrong charge of a cleared hour is found, and says which span rests on them', async () => {
      expect(await store.audit.clearedSpan()).toBeUndefined()
      await store.usage.clearBefore(boundary)
      await store.usage.clearBefore(boundary + 1800)
      expect(await findings()).toEqual([])
      const [first] = await testStore.sql('select min(hour) as hour from ledger_charges')
      const from = Number(first?.['hour'])
      expect(await store.audit.clearedSpan()).toEqual({ from, to: boundary + 1800, sumsFrom: 0 })
      for (const kind of ['token', 'channel']) {
        const wrong = `where account_kind = '${kind}' and hour <= ${boundary - 7200}`
        await testStore.sql(`update ledger_charges set amount = amount + 3 ${wrong}`)
        const charged = (await findings()).filter(({ what }) => what.startsWith(`quota charged to ${kind}`))
        expect([kind, charged.length > 0]).toEqual([kind, true])
        await testStore.sql(`update ledger_charges set amount = amount - 3 ${wrong}`)
      }
      expect(await findings()).toEqual([])
    })

    it('compares nothing where a program of before cleared, which left no sums', async () => {
      await store.usage.clearBefore(base + 3600)
      await testStore.sql(`update log_clearing set cleared_before = ${boundary}`)
      expect((await store.audit.clearedSpan())?.sumsFrom).toBe(boundary)
      await store.usage.clearBefore(boundary + 7200)
      expect((await store.audit.clearedSpan())?.sumsFrom).toBe(boundary)
      expect(await findings()).toEqual([])
    })

    it('leaves consistent sums after a failure, and continues when called again', async () => {
      const retained = (await allRows()).filter((row) => row.createdAt >= boundary)
      const brokenOff = store.usage.clearBefore(boundary, () => {
        throw new Error('broken off')
      })
      expect(String(await rejection(brokenOff))).toContain('broken off')
      expect((await allRows()).length).toBeLessThan(filled)
      expect(await findings()).toEqual([])
      await expectSameAsFullScan(await allRows())
      await store.usage.clearBefore(boundary)
      expect(await allRows()).toEqual(retained)
      expect(await findings()).toEqual([])
    })

    it('runs beside flushes and readers', async () => {
      let seq = 0
      let clearing = true
      const flushing = (async () => {
        while (clearing) {
          const rows = Array.from({ length: 20 }, (_, index) =>
            settlement(seq + index + 1, { createdAt: boundary + 60 }),
          )
          await store.ledger.flush(flushOf('two', seq, rows))
          seq += rows.length
        }
      })()
      const reading = (async () => {
        while (clearing) await store.usage.page({ model: 'gpt%' }, 2, 50)
      })()
      await store.usage.clearBefore(boundary)
      clearing = false
      await Promise.all([flushing, reading])
      expect((await allRows()).every((row) => row.createdAt >= boundary)).toBe(true)
      expect(await findings()).toEqual([])
    })

    it('still notices a newer row that was moved', async () => {
      await store.usage.clearBefore(boundary)
      const row = (await allRows()).find(
        ({ createdAt, type }) => createdAt >= base + 4 * 3600 && type === 'consumption',
      )
      await testStore.sql(`update logs set user_id = 987 where id = ${row?.id}`)
      expect((await findings()).map(({ what }) => what).join()).toContain('by user 987')
    })

    if (database.dialect === 'postgres') partitionContract()

    function partitionContract(): void {
      const day = 86_400
      const partitions = async () =>
        (
          await testStore.sql(
            `select relname from pg_inherits join pg_class on oid = inhrelid where inhparent = 'logs'::regclass and relname like 'logs_2025%' order by 1`,
          )
        ).map(({ relname }) => relname)
      const rowsIn = async (table: string) =>
        Number((await testStore.sql(`select count(*) as n from ${table}`))[0]?.['n'])

      it('stores rows of a time without a partition, and moves them into the one that is added later', async () => {
        const rows = await allRows()
        expect(await rowsIn('logs_default')).toBe(filled)
        await store.usage.cover({ from: base, to: base + day }, 'day')
        expect(await partitions()).toEqual(['logs_2025_06_30', 'logs_2025_07_01'])
        expect(await rowsIn('logs_default')).toBe(0)
        expect(await allRows()).toEqual(rows)
        await expectSameAsFullScan(rows)
        expect(await findings()).toEqual([])
      })

      it('adds partitions once when several nodes add them at the same time', async () => {
        const other = await openStore({ ...testStore.config, ...indexing })
        await Promise.all(
          [store, other].map(({ usage }) => usage.cover({ from: base, to: base + 40 * day }, 'month')),
        )
        await other.close()
        expect(await partitions()).toEqual(['logs_2025_06', 'logs_2025_07', 'logs_2025_08'])
      })

      it('drops a partition that is old altogether, with late rows before its end, and deletes the rest row by row', async () => {
        await store.usage.cover({ from: base, to: base + day }, 'day')
        const late = Array.from({ length: blockRows + 5 }, (_, index) =>
          settlement(index + 1, { createdAt: base - 3 * day }),
        )
        await store.ledger.flush(flushOf('two', 0, late))
        await waitUntilSealed(testStore, filled + late.length)
        expect(await rowsIn('logs_default')).toBe(late.length)
        const retained = (await allRows()).filter((row) => row.createdAt >= boundary)
        expect(await store.usage.clearBefore(boundary)).toBe(filled + late.length - retained.length)
        expect(await partitions()).toEqual(['logs_2025_07_01'])
        expect(await rowsIn('logs_default')).toBe(0)
        expect(await allRows()).toEqual(retained)
        await expectSameAsFullScan(retained)
        expect(await findings()).toEqual([])
      })

      it('goes on after a clearing that ended between the index and the partition', async () => {
        await store.usage.cover({ from: base, to: base + day }, 'day')
        await testStore.sql('delete from log_block_parts')
        await testStore.sql('delete from log_blocks')
        const retained = (await allRows()).filter((row) => row.createdAt >= boundary)
        await store.usage.clearBefore(boundary)
        expect(await partitions()).toEqual(['logs_2025_07_01'])
        expect(await allRows()).toEqual(retained)
      })
    }
  })
}
