import { describe, expect, it } from 'bun:test'
import type { LogRow } from '../../store/log/index/log-row.ts'
import { createLogOverview } from './log-overview.ts'
import { logRow, usageInMemory } from './test-support/usage-in-memory.ts'

const now = 1_700_000_600
const hour = 3600

async function overviewOf(rows: readonly Partial<LogRow>[]) {
  const usage = usageInMemory()
  await usage.append(rows.map(logRow))
  return createLogOverview({
    usage,
    users: { idsByUsername: async (name) => (name === 'bob' ? [2, 5] : []) },
    channelName: (id) => (id === 7 ? 'main' : ''),
    clock: { now: () => now * 1000 },
  })
}

const failed = (reason: string, fields: Partial<LogRow> = {}): Partial<LogRow> => ({
  type: 'error',
  createdAt: now - 60,
  other: JSON.stringify({ error: { reason } }),
  ...fields,
})

describe('the histogram', () => {
  it('has a step for every piece of the time, with or without a call, and none ahead of now', async () => {
    const log = await overviewOf([
      { createdAt: now - 90 },
      { createdAt: now - 90, type: 'error' },
      { createdAt: now - 2 * hour },
    ])
    const { step_seconds, steps } = await log.histogram({
      start_timestamp: now - hour,
      end_timestamp: now + hour,
      utc_offset: 0,
    })
    expect(step_seconds).toBe(60)
    expect(steps).toHaveLength(61)
    expect(steps.at(-1)?.at).toBe(now - (now % 60))
    expect(steps.filter(({ calls }) => calls > 0)).toEqual([
      { at: now - 90 - ((now - 90) % 60), calls: 1, errors: 1 },
    ])
  })

  it('counts the last day without a start, and a year at most, in at most a hundred steps', async () => {
    const log = await overviewOf([])
    expect((await log.histogram({ utc_offset: 0 })).steps).toHaveLength(97)
    for (const days of [1, 7, 30, 90, 400, 4000]) {
      const { steps } = await log.histogram({ start_timestamp: now - days * 24 * hour, utc_offset: 0 })
      expect(steps.length).toBeLessThanOrEqual(102)
      expect(steps[0]?.at).toBeGreaterThan(now - 371 * 24 * hour)
    }
  })

  it('begins long steps at the caller’s midnight', async () => {
    const log = await overviewOf([])
    const { steps } = await log.histogram({ start_timestamp: now - 90 * 24 * hour, utc_offset: 330 })
    expect(new Set(steps.map(({ at }) => (at + 330 * 60) % (24 * hour)))).toEqual(new Set([0]))
  })

  it('adds up all who had a name', async () => {
    const log = await overviewOf([2, 5, 9].map((userId) => ({ userId, createdAt: now - 60 })))
    const { steps } = await log.histogram({ username: 'bob', utc_offset: 0 })
    expect(steps.reduce((sum, { calls }) => sum + calls, 0)).toBe(2)
  })
})

describe('failures', () => {
  it('are grouped by what they have in common, most first, with names of channels', async () => {
    const log = await overviewOf([
      failed('insufficient_user_quota', { userId: 2, username: 'bob', channelId: 0 }),
      failed('upstream_error'),
      failed('upstream_error', { createdAt: now - 30 }),
      { createdAt: now - 60 },
    ])
    const { groups, total, complete } = await log.failures({})
    expect([total, complete]).toEqual([3, true])
    expect(groups).toMatchObject([
      { reason: 'upstream_error', count: 2, channel: 7, channel_name: 'main', last_at: now - 30 },
      { reason: 'insufficient_user_quota', username: 'bob', count: 1, channel: 0, channel_name: '' },
    ])
    expect((await log.failures({ reason: 'upstream_error' })).total).toBe(2)
    expect((await log.failures({ type: 2, reason: 'upstream_error' })).total).toBe(0)
  })

  it('are one’s own for a user, whatever channel failed', async () => {
    const log = await overviewOf([
      failed('upstream_error'),
      failed('upstream_error', { channelId: 8 }),
      failed('upstream_error', { userId: 2 }),
    ])
    expect(await log.failuresOwn(1, {})).toMatchObject({
      total: 2,
      groups: [{ count: 2, channel: 0, channel_name: '' }],
    })
  })
})
