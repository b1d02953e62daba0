import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { usageData as dataCalls, logs as logCalls } from '@tollgate/api'
import { quarterSeconds, stepLengths, stepsOf, zoneOf } from '@tollgate/api/calendar'
import { defaults } from '@tollgate/api/settings'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../tests/support/postgres.ts'
import { createLogOverview } from '../../records/logs/log-overview.ts'
import { countedSteps } from '../../store/channels/read-attempt-counts.ts'
import { postgresForTests, sqliteForTests, type TestStore } from '../../store/contract/place.ts'
import { flushOf, settlement } from '../../store/contract/samples.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { sum, takeOverAll } from '../../store/log/contract/log-samples.ts'
import type { Store } from '../../store/store.ts'
import { createActivity } from './activity.ts'
import { createMargins } from './margin.ts'
import { createSpend } from './spend.ts'
import { spendPieces } from './spend-file.ts'
import { createUsageData } from './usage-data.ts'
import { createUsageSummaries } from './usage-summary.ts'

setDefaultTimeout(deadline(60_000))

const zones = [
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Adelaide',
  'America/St_Johns',
  'Europe/Berlin',
  'Australia/Lord_Howe',
]
/** Clocks change in them: in the north in March and late in October, in the south in April and early in October. */
const windows = [
  ['2026-03-07', '2026-03-10'],
  ['2026-03-28', '2026-04-06'],
  ['2026-10-03', '2026-10-06'],
  ['2026-10-24', '2026-11-03'],
] as const

interface Call {
  readonly createdAt: number
  readonly userId: number
  readonly quota: number
  readonly failed: boolean
}

/** Some thirty calls a day and as many around each quarter, always the same. */
const made: readonly Call[] = windows.flatMap(([from, to]) => {
  const [start, end] = [Date.parse(from) / 1000, Date.parse(to) / 1000]
  const calls = Math.floor((end - start) / 1700)
  return Array.from({ length: calls }, (_, index) => ({
    createdAt: start + index * 1700 + ((index * 7919) % 1700),
    userId: 1 + (index % 3),
    quota: 1 + ((index * 31) % 500),
    failed: index % 11 === 0,
  }))
})
const charged = made.filter(({ failed }) => !failed)

/** The databases get the same steps from the same code: a clock that never changes, one that does by an hour, and by half of one. */
const zonesOnServer = ['Asia/Kolkata', 'America/St_Johns', 'Australia/Lord_Howe']
const databases = ['sqlite', ...(hasPostgres() ? ['postgres'] : [])] as const

const formats = new Map(
  zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })]),
)
const dates = new Map(zones.map((zone) => [zone, new Map<number, string>()]))
/** The date of a moment, read in another way than the code under test reads it, and once: millions are compared. */
function dateIn(zone: string, at: number): string {
  const known = dates.get(zone)?.get(at)
  if (known !== undefined) return known
  const date = formats.get(zone)?.format(at * 1000) ?? ''
  dates.get(zone)?.set(at, date)
  return date
}

describe.each(databases)('figures on %s', (kind) => {
  const covered = kind === 'postgres' ? zonesOnServer : zones
  let postgres: Postgres | undefined
  let testStore: TestStore
  let store: Store

  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres()
    const server = postgres
    const database = server ? postgresForTests(() => server) : sqliteForTests
    testStore = await database.createTestStore()
    store = await openStore(testStore.config)
    const settled = charged.map((call, index) => settlement(index + 1, { ...call, tokenId: 0, channelId: 9 }))
    await store.ledger.flush(flushOf('one', 0, settled))
    const failed = made.filter((call) => call.failed)
    await store.usage.append(failed.map((call) => ({ ...settlement(1), ...call, type: 'error', quota: 0 })))
    await store.attemptCounts.add(attemptsOf(charged))
    await takeOverAll(store)
    // A table that grew at once has a plan for a small one.
    if (kind === 'postgres') await testStore.sql('analyze')
    // These are not taken over: figures are of both.
    const late = charged
      .slice(0, 40)
      .map((call, index) => settlement(charged.length + index + 1, { ...call, tokenId: 0, channelId: 9 }))
    await store.ledger.flush(flushOf('one', charged.length, late))
  })
  afterAll(async () => {
    await store.close()
    await testStore.remove()
    await postgres?.stop()
  })

  const all = [...charged, ...charged.slice(0, 40)]
  const figuresAt = (now: number) => {
    const clock = { now: () => now * 1000 }
    const ledger = { flush: async () => undefined }
    const parts = { statistics: store.statistics, users: store.users, ledger, clock }
    const counts = {
      usage: store.usage,
      attemptCounts: store.attemptCounts,
      writeAttempts: async () => undefined,
    }
    return {
      data: createUsageData(parts),
      summaries: createUsageSummaries({
        ...parts,
        ...counts,
        channelName: () => '',
        losing: () => [],
        refusedUsers: async () => [],
      }),
      activity: createActivity({ ...parts, ...counts }),
      spend: createSpend({
        ...parts,
        settings: { current: defaults },
        spendFile: (file) => spendPieces(parts, file),
      }),
      margins: createMargins({ ...parts, channelName: () => '' }),
      log: createLogOverview({ usage: store.usage, users: store.users, channelName: () => '', clock }),
    }
  }

  /**
   * Days of a zone in the windows, but for those that reach out of them: the first of each, and those around a change of the clock, of
   * which the last is the last whose week holds the change. The others are days of 24 hours like the first.
   */
  function daysOf(zone: string) {
    const clock = zoneOf({ time_zone: zone, utc_offset: 0 })
    return windows.flatMap(([from, to]) => {
      const range = { from: Date.parse(from) / 1000 + 86_400, to: Date.parse(to) / 1000 - 86_400 }
      const { starts, end } = stepsOf(range, stepLengths.day, clock)
      const days = starts.map((start, index) => ({ start, end: starts[index + 1] ?? end, clock }))
      const changes = days.map((day) => day.end - day.start !== 86_400)
      return days.filter((_, index) => index === 0 || [-1, 0, 1, 6].some((after) => changes[index - after]))
    })
  }
  const within = (calls: readonly Call[], from: number, end: number) =>
    calls.filter(({ createdAt }) => createdAt >= from && createdAt < end)
  const totalOf = (calls: readonly Call[]) => [calls.length, sum(calls, ({ quota }) => quota)]

  it.each(covered)('of today and the week are those of the rows in %s', async (zone) => {
    const query = dataCalls.summary.query.parse({ time_zone: zone })
    for (const { start, end } of daysOf(zone))
      for (const now of [start + 600, start + 2400, end - 600]) {
        // Calls of later days are in no database but this.
        const today = (call: Call) => dateIn(zone, call.createdAt) >= dateIn(zone, now)
        const since = new Date(Date.parse(dateIn(zone, now)) - 6 * 86_400_000).toISOString().slice(0, 10)
        const week = (call: Call) => dateIn(zone, call.createdAt) >= since
        const { summaries, activity } = figuresAt(now)
        const found = await summaries.all(query)
        expect([found.today.count, found.today.quota]).toEqual(totalOf(all.filter(today)))
        expect([found.week.count, found.week.quota]).toEqual(totalOf(all.filter(week)))
        expect(found.today.errors).toBe(made.filter((call) => call.failed && today(call)).length)
        expect(found.attempts.today.ok).toBe(charged.filter(today).length)
        expect(found.attempts.week.ok).toBe(charged.filter(week).length)
        expect([found.calls.today.ok, found.calls.week.ok]).toEqual([
          found.attempts.today.ok,
          found.attempts.week.ok,
        ])
        const own = await summaries.own(2, query)
        const mine = all.filter(({ userId }) => userId === 2)
        expect([own.today.count, own.today.quota]).toEqual(totalOf(mine.filter(today)))
        expect(own.calls.today.ok).toBe(charged.filter((call) => call.userId === 2 && today(call)).length)
        const { days } = await activity.ofUser(2, query)
        for (const { at, count, quota } of days)
          expect([count, quota]).toEqual(
            totalOf(
              mine.filter(
                ({ createdAt }) =>
                  createdAt < now + quarterSeconds && dateIn(zone, createdAt) === dateIn(zone, at),
              ),
            ),
          )
      }
  })

  it.each(covered)('of charts, spend, margins and log are those of the rows in %s', async (zone) => {
    const lengths = new Set<number>()
    for (const { start, end, clock } of daysOf(zone)) {
      lengths.add((end - start) / 3600)
      const times = { start_timestamp: String(start), end_timestamp: String(end - 1), time_zone: zone }
      const { data, spend, margins } = figuresAt(end)
      const ofDay = within(all, start, end)
      const range = { start_timestamp: start, end_timestamp: end - 1 }

      const days = await data.all(dataCalls.list.query.parse({ ...times, granularity: 'day' }))
      expect(days.rows.map(({ created_at, count, quota }) => [created_at, count, quota])).toEqual([
        [start, ...totalOf(ofDay)],
      ])
      const hours = await data.all(dataCalls.list.query.parse({ ...times, granularity: 'hour' }))
      // What the console draws: every hour, those without a call too.
      const drawn = stepsOf({ from: start, to: end - 1 }, stepLengths.hour, clock)
      for (const [index, from] of drawn.starts.entries()) {
        const those = within(all, from, drawn.starts[index + 1] ?? drawn.end)
        const row = hours.rows.find(({ created_at }) => created_at === from)
        expect([row?.count ?? 0, row?.quota ?? 0]).toEqual(totalOf(those))
      }
      expect(sum(hours.rows, ({ count }) => count)).toBe(ofDay.length)
      const table = await spend.table(range, { offset: 0, limit: 10 })
      expect([table.total.count, table.total.quota]).toEqual(totalOf(ofDay))
      for (const by of ['model', 'channel', 'user'] as const) {
        const { total } = await margins({ by, ...range })
        expect([total.calls, total.quota]).toEqual(totalOf(ofDay))
      }
    }
    expect(lengths.size > 1).toBe(!zone.startsWith('Asia/'))
    const { start } = daysOf(zone).at(-1) ?? { start: 0 }
    const months = logCalls.histogram.query.parse({
      start_timestamp: String(start - 40 * 86_400),
      time_zone: zone,
    })
    const { steps } = await figuresAt(start).log.histogram(months)
    for (const [index, { at, calls }] of steps.entries())
      expect(calls).toBe(within(all, at, steps[index + 1]?.at ?? start + 1).length)
  })

  it('are the same by minutes for a clock that does not change', async () => {
    const { start, end } = daysOf('Asia/Kathmandu')[1] ?? { start: 0, end: 0 }
    const { summaries } = figuresAt(end - 60)
    expect(await summaries.all({ utc_offset: 345 })).toEqual(
      await summaries.all({ utc_offset: 0, time_zone: 'Asia/Kathmandu' }),
    )
    expect(start).toBeGreaterThan(0)
  })
})

function attemptsOf(calls: readonly Call[]) {
  const counts = new Map<
    string,
    { startsAt: number; kind: 'channel' | 'calls' | 'user-calls'; id: number; count: number }
  >()
  for (const { createdAt, userId } of calls)
    for (const [kind, id] of [
      ['channel', 9],
      ['calls', 0],
      ['user-calls', userId],
    ] as const) {
      const startsAt = createdAt - (createdAt % quarterSeconds)
      const key = `${kind} ${id} ${startsAt}`
      counts.set(key, { startsAt, kind, id, count: (counts.get(key)?.count ?? 0) + 1 })
    }
  const rest = { step: countedSteps.hour, model: 'gpt-4o', outcome: 'ok', ms: 1 } as const
  return [...counts.values()].map((count) => ({ ...rest, ...count }))
}
