import { describe, expect, it } from 'bun:test'
import { usageInMemory } from '../../records/logs/test-support/usage-in-memory.ts'
import type { Range, Width } from '../../store/log/partitions/ranges.ts'
import { logJobs, storedFrom } from './log-jobs.ts'

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const day = 86_400
const now = at('2026-11-25T22:36')

const row = {
  type: 'consumption',
  userId: 1,
  tokenId: 1,
  channelId: 1,
  quota: 5,
  promptTokens: 1,
  completionTokens: 1,
  useTimeSeconds: 1,
  isStream: false,
  tokenName: 'ci',
  model: 'gpt-4o',
  group: 'default',
  username: 'ada',
  requestId: 'r',
  content: '',
  other: '',
} as const

async function world(days: number) {
  const usage = usageInMemory()
  await usage.append([1, 7, 8, 100].map((age) => ({ ...row, createdAt: now - age * day })))
  const covered: [Range, Width][] = []
  const logged: object[] = []
  const settings = { days }
  const jobs = logJobs({
    usage: { ...usage, cover: async (...requested) => void covered.push(requested) },
    retentionDays: () => settings.days,
    clock: { now: () => now * 1000 },
    logger: { info: (...line: readonly unknown[]) => void logged.push(line) },
  })
  const run = async (name: string, signal = new AbortController().signal) =>
    await jobs.find((job) => job.name === name)?.run(signal)
  return { usage, covered, logged, settings, run }
}

describe('details of calls', () => {
  it('are kept for ever unless an operator says otherwise', async () => {
    const { usage, run } = await world(0)
    await run('delete-old-log-rows')
    expect(usage.rows).toHaveLength(4)
  })

  it('are deleted when they are older than the number of days, and not again', async () => {
    const { usage, logged, settings, run } = await world(7)
    await run('delete-old-log-rows')
    expect(usage.rows.map(({ createdAt }) => (now - createdAt) / day)).toEqual([1, 7])
    await run('delete-old-log-rows')
    expect(logged).toHaveLength(1)
    settings.days = 1
    await run('delete-old-log-rows')
    expect(usage.rows).toHaveLength(1)
  })

  it('lie in partitions of a day, a week or a month, by how long they are kept, a week ahead', async () => {
    const { covered, settings, run } = await world(0)
    for (const days of [0, 1, 31, 32, 366, 367]) {
      settings.days = days
      await run('add-log-partitions')
    }
    expect(covered.map(([, width]) => width)).toEqual(['month', 'day', 'day', 'week', 'week', 'month'])
    expect(covered[0]?.[0]).toEqual({ from: now, to: now + 7 * day })
  })

  it('go by complete partitions, never too early', () => {
    expect(storedFrom(7, now)).toBe(at('2026-11-18T00:00'))
    expect(storedFrom(31, now)).toBe(at('2026-10-25T00:00'))
    expect(storedFrom(92, now)).toBe(at('2026-08-24T00:00'))
    expect(storedFrom(400, now)).toBe(at('2025-10-01T00:00'))
  })
})
