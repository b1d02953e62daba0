import { describe, expect, it } from 'bun:test'
import type { LogRow } from '../../store/log/index/log-row.ts'
import { logRow, usageInMemory } from './test-support/usage-in-memory.ts'
import { createUsageLog, pageAcrossUsers } from './usage-log.ts'

const now = 1_700_000_600
const idsByName: Readonly<Record<string, number[]>> = { ann: [1], bob: [2, 5] }
const firstPage = { p: 1, page_size: 10 }

async function createTestUsageLog(rows: readonly Partial<LogRow>[]) {
  const usage = usageInMemory()
  await usage.append(rows.map(logRow))
  return createUsageLog({
    usage,
    users: { idsByUsername: async (username) => idsByName[username] ?? [] },
    channelName: (id) => (id === 7 ? 'main' : ''),
    clock: { now: () => now * 1000 },
    settings: { current: { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 } },
  })
}

const rows = [
  { userId: 1, username: 'ann', quota: 1, createdAt: now - 3000 },
  { userId: 2, username: 'bob', quota: 10, createdAt: now - 2000, type: 'system' as const },
  { userId: 2, username: 'bob before', quota: 100, createdAt: now - 60 },
  { userId: 5, username: 'bob', quota: 1000, createdAt: now - 30, channelId: 8 },
  { userId: 1, username: 'ann', quota: 10_000, createdAt: now - 10, tokenName: 'other' },
]

describe('listing the usage log', () => {
  it('shows administrators everything, newest first, with channel names', async () => {
    const log = await createTestUsageLog(rows)
    const page = await log.list(firstPage, 'en')
    expect(page).toMatchObject({ total: 5, page: 1, page_size: 10 })
    expect(page.items.map((item) => [item.quota, item.channel_name])).toEqual([
      [10_000, 'main'],
      [1000, ''],
      [100, 'main'],
      [10, 'main'],
      [1, 'main'],
    ])
  })

  it('finds a person by their current name, whatever name the rows have', async () => {
    const log = await createTestUsageLog(rows)
    const page = await log.list({ ...firstPage, username: 'bob' }, 'en')
    expect([page.items.map((item) => item.quota), page.total]).toEqual([[1000, 100, 10], 3])
  })

  it('shows nothing for an unknown name or an unknown type', async () => {
    const log = await createTestUsageLog(rows)
    expect(await log.list({ ...firstPage, username: 'eve' }, 'en')).toEqual({
      items: [],
      total: 0,
      page: 1,
      page_size: 10,
    })
    expect((await log.list({ ...firstPage, type: 5 }, 'en')).total).toBe(0)
    expect((await log.listOwn(1, { ...firstPage, type: 5 }, 'en')).total).toBe(0)
  })

  it('shows people their own rows only, whatever the filter', async () => {
    const log = await createTestUsageLog(rows)
    const query = { ...firstPage, username: 'bob', user_id: 2, userId: 2 }
    const page = await log.listOwn(1, query, 'en')
    expect(page.items.map((item) => [item.quota, item.channel, item.channel_name])).toEqual([
      [10_000, 0, ''],
      [1, 0, ''],
    ])
  })

  it('filters by time inclusively', async () => {
    const log = await createTestUsageLog(rows)
    const page = await log.list({ ...firstPage, start_timestamp: now - 2000, end_timestamp: now - 30 }, 'en')
    expect(page.items.map((item) => item.quota)).toEqual([1000, 100, 10])
  })

  it('pages', async () => {
    const log = await createTestUsageLog(rows)
    const page = await log.list({ p: 2, page_size: 2 }, 'en')
    expect([page.items.map((item) => item.quota), page.total, page.page]).toEqual([[100, 10], 5, 2])
  })
})

describe('statistics', () => {
  it('sum the consumption of the filter and look back one minute for the rates', async () => {
    const log = await createTestUsageLog(rows)
    expect(await log.stat({})).toEqual({ quota: 11_101, rpm: 3, tpm: 21 })
    expect(await log.stat({ end_timestamp: now - 3000 })).toEqual({ quota: 1, rpm: 3, tpm: 21 })
    expect(await log.stat({ channel: 8 })).toEqual({ quota: 1000, rpm: 1, tpm: 7 })
  })

  it('sum over every user who has or had the name', async () => {
    const log = await createTestUsageLog(rows)
    expect(await log.stat({ username: 'bob' })).toEqual({ quota: 1100, rpm: 2, tpm: 14 })
    expect(await log.stat({ username: 'eve' })).toEqual({ quota: 0, rpm: 0, tpm: 0 })
  })

  it('honour the type: only consumption has figures', async () => {
    const log = await createTestUsageLog(rows)
    expect(await log.stat({ type: 2 })).toEqual(await log.stat({}))
    expect(await log.stat({ type: 4 })).toEqual({ quota: 0, rpm: 0, tpm: 0 })
    expect(await log.stat({ type: 7 })).toEqual({ quota: 0, rpm: 0, tpm: 0 })
  })

  it('are about oneself for a user', async () => {
    const log = await createTestUsageLog(rows)
    expect(await log.statOwn(1, {})).toEqual({ quota: 10_001, rpm: 1, tpm: 7 })
    expect(await log.statOwn(1, { token_name: 'other' })).toEqual({ quota: 10_000, rpm: 1, tpm: 7 })
    expect(await log.statOwn(1, { type: 4 })).toEqual({ quota: 0, rpm: 0, tpm: 0 })
  })
})

async function logOf(counts: Readonly<Record<number, number>>) {
  const usage = usageInMemory()
  for (const [userId, count] of Object.entries(counts)) {
    await usage.append(Array.from({ length: count }, () => logRow({ userId: Number(userId) })))
  }
  return usage
}

describe('pages over several people', () => {
  it.each([1, 2, 3, 4, 5, 10, 100])(
    'of %d rows show every row once, person by person, newest first',
    async (size) => {
      const usage = await logOf({ 1: 5, 2: 0, 3: 7, 4: 3 })
      const seen: number[] = []
      for (let page = 1; ; page++) {
        const { rows, total } = await pageAcrossUsers(usage, {}, [4, 3, 2], page, size)
        expect(total).toBe(10)
        expect(rows.length).toBe(Math.max(0, Math.min(size, 10 - (page - 1) * size)))
        if (rows.length === 0) break
        seen.push(...rows.map((row) => row.id))
      }
      expect(seen).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6])
    },
  )

  it('are empty without users', async () => {
    expect(await pageAcrossUsers(await logOf({ 1: 5 }), {}, [], 1, 10)).toEqual({ rows: [], total: 0 })
  })

  it('keep the other filters', async () => {
    const usage = await logOf({ 1: 2 })
    await usage.append([logRow({ userId: 1, model: 'o3' }), logRow({ userId: 2, model: 'o3' })])
    const { rows, total } = await pageAcrossUsers(usage, { model: 'o3' }, [2, 1], 1, 10)
    expect([rows.map((row) => row.userId), total]).toEqual([[2, 1], 2])
  })
})
