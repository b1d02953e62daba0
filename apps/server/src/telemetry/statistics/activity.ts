import type { CallsOfWeek, UserActivity } from '@tollgate/api'
import { type ReaderClock, startOfDay, startOfDayAfter, zoneOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import type { CallsOfModel } from '../../store/channels/read-attempt-counts.ts'
import type { LogFilter } from '../../store/log/index/log-row.ts'
import type { UsageBucket } from '../../store/log/quarters/step-sums.ts'
import type { StatisticsRepository } from '../../store/log/statistics.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import { callTotalsOf, ofDays } from './attempt-totals.ts'
import { rangeOfSteps } from './steps.ts'

interface Dependencies {
  readonly statistics: Pick<StatisticsRepository, 'list'>
  readonly attemptCounts: Pick<AttemptCountRepository, 'callsOfUser' | 'callsOfToken'>
  readonly usage: Pick<UsageRepository, 'page'>
  /** Writes the attempts that this node has counted. */
  readonly writeAttempts: () => Promise<void>
  readonly ledger: Pick<Ledger, 'flush'>
  readonly clock: Clock
}

/** Recent activity of one user or key. */
export interface Activity {
  ofUser(userId: number, reader: ReaderClock): Promise<Omit<UserActivity, 'keys'>>
  callsOfToken(tokenId: number, reader: ReaderClock): Promise<CallsOfWeek>
}

const weekDaysBefore = 6
const monthDaysBefore = 29

export function createActivity({
  statistics,
  attemptCounts,
  usage,
  writeAttempts,
  ledger,
  clock,
}: Dependencies): Activity {
  const daysFor = (reader: ReaderClock) => {
    const zone = zoneOf(reader)
    const today = startOfDay(unixSeconds(clock), zone)
    return { zone, since: { today, week: startOfDayAfter(today, -weekDaysBefore, zone) } }
  }

  async function ofWeek(since: CallsOfWeek['since'], calls: readonly CallsOfModel[], whose: LogFilter) {
    const failed = await usage.page({ ...whose, type: 'error', from: since.week }, 1, 1)
    return { since, ...ofDays(calls, callTotalsOf), failed_rows: failed.total }
  }

  return {
    async ofUser(userId, reader) {
      const now = unixSeconds(clock)
      const { zone, since } = daysFor(reader)
      await Promise.all([ledger.flush(), writeAttempts()])
      const range = rangeOfSteps(
        { from: startOfDayAfter(since.today, -monthDaysBefore, zone), to: now },
        'day',
        zone,
      )
      const [buckets, calls] = await Promise.all([
        statistics.list(range, userId),
        attemptCounts.callsOfUser(since.week, since.today, userId),
      ])
      return { days: daysOf(buckets), calls: await ofWeek(since, calls, { userId }) }
    },
    async callsOfToken(tokenId, reader) {
      const { since } = daysFor(reader)
      await Promise.all([ledger.flush(), writeAttempts()])
      return ofWeek(since, await attemptCounts.callsOfToken(since.week, since.today, tokenId), { tokenId })
    },
  }
}

/** Models of a day together, in the order of time. */
function daysOf(buckets: readonly UsageBucket[]): UserActivity['days'] {
  const days = new Map<number, UserActivity['days'][number]>()
  for (const { at, count, quota } of buckets) {
    const day = days.get(at) ?? { at, count: 0, quota: 0 }
    days.set(at, { at, count: day.count + count, quota: day.quota + quota })
  }
  return [...days.values()]
}
