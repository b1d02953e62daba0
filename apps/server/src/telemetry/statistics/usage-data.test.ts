import { describe, expect, it } from 'bun:test'
import { usageRow } from '@tollgate/api'
import type { StatisticsRange } from '../../store/log/statistics.ts'
import { createUsageData } from './usage-data.ts'
import { createUsageSummaries } from './usage-summary.ts'

const now = 1_700_000_000
const day = 86_400
const noOffset = { utc_offset: 0 }

function setUp() {
  const requested: [StatisticsRange, number | undefined][] = []
  const order: string[] = []
  const deps = {
    statistics: {
      list: async (range: StatisticsRange, userId?: number) => {
        order.push('read')
        requested.push([range, userId])
        return [{ at: 3600, model: 'gpt-4o', count: 2, quota: 30, tokens: 7 }]
      },
    },
    ledger: { flush: async () => void order.push('flushed') },
    users: { idsByUsername: async (name: string) => (name === 'bob' ? [2, 5] : []) },
    clock: { now: () => now * 1000 },
  }
  return { requested, order, ...createUsageData(deps) }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  )

describe('rows of charts', () => {
  it('are of the last thirty days unless asked otherwise, with every call that has ended', async () => {
    const { all, requested, order } = setUp()
    const { rows, granularity } = await all(noOffset)
    const quarter = Math.ceil(now / 900) * 900
    const days = Array.from({ length: 31 }, (_, index) => now - (now % day) - (30 - index) * day)
    expect(requested).toEqual([[{ from: quarter - 30 * day, end: quarter, starts: days }, undefined]])
    expect(order).toEqual(['flushed', 'read'])
    expect(granularity).toBe('day')
    expect(rows).toEqual([
      {
        id: 1,
        user_id: 0,
        username: '',
        model_name: 'gpt-4o',
        created_at: 3600,
        token_used: 7,
        count: 2,
        quota: 30,
      },
    ])
    expect(rows.map((row) => usageRow.parse(row))).toEqual(rows)
  })

  it('cover the users who have or had a name, and are empty for an unknown name', async () => {
    const { all, requested } = setUp()
    const { rows } = await all({ ...noOffset, username: 'bob' })
    expect(rows.map(({ id, user_id, username }) => [id, user_id, username])).toEqual([
      [1, 5, 'bob'],
      [2, 2, 'bob'],
    ])
    expect((await all({ ...noOffset, username: 'eve' })).rows).toEqual([])
    expect(requested).toHaveLength(2)
  })

  it('take either name of the granularity', async () => {
    const { own } = setUp()
    const times = { start_timestamp: now - day, end_timestamp: now }
    const ann = { userId: 4, username: 'ann' }
    const of = async (query: object) => (await own(ann, { ...noOffset, ...times, ...query })).granularity
    expect(await of({})).toBe('hour')
    expect(await of({ default_time: 'week' })).toBe('week')
    expect(await of({ granularity: 'day', default_time: 'week' })).toBe('day')
  })

  it('go back a month for oneself and a year for all users', async () => {
    const { all, own } = setUp()
    const ann = { userId: 4, username: 'ann' }
    const ago = (days: number) => ({ ...noOffset, start_timestamp: now - days * day, end_timestamp: now })
    const max = { ...ago(31), start_timestamp: now - 31 * day - 3600 }
    expect(await codeOf(own(ann, max))).toBe('done')
    expect(await codeOf(own(ann, { ...max, start_timestamp: max.start_timestamp - 1 }))).toBe(
      'data_range_over_month',
    )
    expect(await codeOf(all(ago(366)))).toBe('done')
    expect(await codeOf(all(ago(367)))).toBe('data_range_over_year')
  })
})

describe('a summary', () => {
  const models = [
    {
      model: 'a',
      count: 10,
      errors: 1,
      quota: 100,
      tokens: 50,
      todayCount: 1,
      todayErrors: 0,
      todayQuota: 9,
      todayTokens: 5,
    },
    {
      model: 'b',
      count: 0,
      errors: 7,
      quota: 0,
      tokens: 0,
      todayCount: 0,
      todayErrors: 7,
      todayQuota: 0,
      todayTokens: 0,
    },
  ]

  const none = { upstream: 0, caller: 0, balance: 0, limit: 0, no_channel: 0, gateway: 0 }
  const attempts = [
    { channelId: 3, model: 'a', outcome: 'ok', isToday: true, count: 2 },
    { channelId: 3, model: 'a', outcome: 'upstream', isToday: true, count: 5 },
    { channelId: 2, model: 'a', outcome: 'upstream', isToday: false, count: 3 },
  ] as const
  const calls = [
    { model: 'a', outcome: 'ok', isToday: true, count: 7 },
    { model: 'a', outcome: 'broken', isToday: false, count: 1 },
    { model: 'gone', outcome: 'no_channel', isToday: true, count: 9 },
    { model: 'b', outcome: 'balance', isToday: false, count: 70 },
  ] as const

  it('has today and the week, the top models, and what fails by whose fault', async () => {
    const requested: number[][] = []
    const today = now - (now % day)
    const summaries = createUsageSummaries({
      statistics: {
        modelTotals: async (since, today, userId) => {
          requested.push([since, today, userId ?? 0])
          return models
        },
      },
      attemptCounts: {
        atChannels: async () => attempts,
        calls: async () => calls,
        callsOfUser: async () => calls.slice(0, 1),
      },
      usage: {
        page: async ({ isRescued = false, triedChannelId = 0, from = 0 }) => ({
          rows: [],
          total: (isRescued ? 100 : triedChannelId) + (from === today ? 1 : 2),
        }),
      },
      writeAttempts: async () => undefined,
      ledger: { flush: async () => undefined },
      channelName: (id) => `channel ${id}`,
      losing: () => [],
      refusedUsers: async () => [],
      clock: { now: () => now * 1000 },
    })
    expect(await summaries.all(noOffset)).toEqual({
      since: { today, week: today - 6 * day },
      today: { count: 1, errors: 7, quota: 9, token_used: 5 },
      week: { count: 10, errors: 8, quota: 100, token_used: 50 },
      top_models: [{ model_name: 'a', count: 10, errors: 1, quota: 100, token_used: 50 }],
      calls: {
        today: { ok: 7, broken: 0, faults: { ...none, no_channel: 9 } },
        week: { ok: 7, broken: 1, faults: { ...none, no_channel: 9, balance: 70 } },
      },
      attempts: {
        today: { ok: 2, faults: { ...none, upstream: 5 } },
        week: { ok: 2, faults: { ...none, upstream: 8 } },
      },
      rescued: { today: 101, week: 102 },
      // A caller without a balance makes no model fail.
      failing_models: [
        { model_name: 'gone', ok: 0, broken: 0, faults: { ...none, no_channel: 9 }, count: 0, errors: 0 },
        { model_name: 'a', ok: 7, broken: 1, faults: none, count: 10, errors: 1 },
      ],
      more_failing_models: 0,
      losing: [],
      refused_users: [],
      failing_channels: [
        { channel: 3, channel_name: 'channel 3', ok: 2, faults: { ...none, upstream: 5 }, calls: 5 },
        { channel: 2, channel_name: 'channel 2', ok: 0, faults: { ...none, upstream: 3 }, calls: 4 },
      ],
      more_failing_channels: 0,
    })
    const own = await summaries.own(4, noOffset)
    expect(own.failing_models).toEqual([])
    expect(Object.keys(own)).not.toContain('attempts')
    expect(requested).toEqual([
      [today - 6 * day, today, 0],
      [today - 6 * day, today, 4],
    ])
  })
})
