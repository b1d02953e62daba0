import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { LogRow } from '../entities.ts'
import { openStore } from '../open-store.ts'
import type { LogFilter, Store } from '../store.ts'
import type { Place, TestDatabase } from './place.ts'
import { flushOf, settlement } from './samples.ts'

const blockRows = 48
const base = Date.UTC(2025, 5, 30, 22) / 1000

/** Rows over few values, so that filters meet; over some hours and a month's end; not always in the order of time. */
const logRow = fc.record({
  createdAt: fc.integer({ min: base, max: base + 5 * 3600 }),
  type: fc.constantFrom('consumption', 'consumption', 'consumption', 'top-up', 'system'),
  userId: fc.integer({ min: 1, max: 40 }).map((user) => (user > 5 ? user : 1)),
  tokenId: fc.integer({ min: 0, max: 3 }),
  tokenName: fc.constantFrom('', 'ci', '100%', 'Ü'),
  model: fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'claude_x', 'o3'),
  channelId: fc.integer({ min: 0, max: 4 }),
  group: fc.constantFrom('default', 'default', 'default', 'vip'),
  quota: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constantFrom(70_000, 5_000_000_000)),
  promptTokens: fc.integer({ min: 0, max: 100_000 }),
  completionTokens: fc.integer({ min: 0, max: 100 }),
}) satisfies fc.Arbitrary<Partial<LogRow>>

const filter = fc.record(
  {
    type: fc.constantFrom('consumption', 'top-up', 'management'),
    userId: fc.constantFrom(1, 1, 6, 7, 39, 1000),
    tokenName: fc.constantFrom('ci', '100%', 'Ü', 'unknown'),
    model: fc.constantFrom('gpt-4o', 'o3', 'gpt%', '%MINI', '%_%', '%', 'nope', 'nope%'),
    channelId: fc.integer({ min: 1, max: 5 }),
    group: fc.constantFrom('default', 'vip', 'none'),
    from: fc.integer({ min: base - 10, max: base + 5 * 3600 + 10 }),
    to: fc.integer({ min: base - 10, max: base + 5 * 3600 + 10 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<LogFilter>

function leaves(asked: LogFilter, row: LogRow): boolean {
  return (
    (asked.type === undefined || row.type === asked.type) &&
    (asked.userId === undefined || row.userId === asked.userId) &&
    (asked.tokenName === undefined || row.tokenName === asked.tokenName) &&
    (asked.model === undefined || isLike(row.model, asked.model)) &&
    (asked.channelId === undefined || row.channelId === asked.channelId) &&
    (asked.group === undefined || row.group === asked.group) &&
    row.createdAt >= (asked.from ?? 0) &&
    row.createdAt <= (asked.to ?? Number.MAX_SAFE_INTEGER)
  )
}

/** `%` stands for any text, in a pattern that has one; nothing else is a wildcard. */
function isLike(text: string, pattern: string): boolean {
  if (!pattern.includes('%')) return text === pattern
  const parts = pattern.split('%').map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(text)
}

const sum = (rows: readonly LogRow[], value: (row: LogRow) => number) =>
  rows.reduce((total, row) => total + value(row), 0)

export function usageContract(database: TestDatabase): void {
  describe('UsageRepository', () => {
    let place: Place
    let store: Store
    let rows: LogRow[]

    async function fill(): Promise<void> {
      const made = fc.sample(logRow, { numRuns: 700, seed: 42 }) as Partial<LogRow>[]
      let position = 0
      for (let start = 0; start < made.length; start += 70) {
        const batch = made.slice(start, start + 70).map((row) => ({ ...settlement(1), ...row }))
        const charged = batch.filter((row) => row.type === 'consumption')
        await store.usage.append(batch.filter((row) => row.type !== 'consumption') as LogRow[])
        const settlements = charged.map((row, index) => ({ ...row, seq: position + index + 1 }))
        await store.ledger.flush(flushOf('one', position, settlements))
        position += charged.length
      }
    }

    beforeAll(async () => {
      place = await database.newPlace()
      store = await openStore({ ...place.config, logBlockRows: blockRows })
      await fill()
      while ((await sealedRows(place)) < 700 - (700 % blockRows)) await Bun.sleep(5)
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
      expect(rows.at(-1)).toMatchObject({ username: 'ann', requestId: 'request-1', isStream: true })
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

    it('agrees with the log in an audit', async () => {
      const about = (await store.audit.findings()).map((finding) => finding.what)
      expect(about.filter((what) => what.includes('log'))).toEqual([])
    })
  })
}

async function sealedRows(place: Place): Promise<number> {
  const [found] = await place.sql('select coalesce(max(last_id), 0) as n from log_blocks')
  return Number(found?.['n'])
}
