import type { AttemptsOfWeek, UserActivity } from '@tollgate/api'
import { type ReaderClock, startOfDay, startOfDayAfter, zoneOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import type { AttemptsOfModel } from '../../store/channels/read-attempt-counts.ts'
import type { UsageBucket } from '../../store/log/quarters/step-sums.ts'
import type { StatisticsRepository } from '../../store/log/statistics.ts'
import { totalsOf } from './attempt-totals.ts'
import { rangeOfSteps } from './steps.ts'

interface Dependencies {
  readonly statistics: Pick<StatisticsRepository, 'list'>
  readonly attemptCounts: Pick<AttemptCountRepository, 'ofUser' | 'ofToken'>
  /** Writes the attempts that this node has counted. */
  readonly writeAttempts: () => Promise<void>
  readonly ledger: Pick<Ledger, 'flush'>
  readonly clock: Clock
}

/** Recent activity of one user or key. */
export interface Activity {
  ofUser(userId: number, reader: ReaderClock): Promise<Omit<UserActivity, 'keys'>>
  attemptsOfToken(tokenId: number, reader: ReaderClock): Promise<AttemptsOfWeek>
}

const weekDaysBefore = 6
const monthDaysBefore = 29

export function createActivity({
  statistics,
  attemptCounts,
  writeAttempts,
  ledger,
  clock,
}: Dependencies): Activity {
  return {
    async ofUser(userId, reader) {
      const now = unixSeconds(clock)
      const zone = zoneOf(reader)
      const today = startOfDay(now, zone)
      await Promise.all([ledger.flush(), writeAttempts()])
      const range = rangeOfSteps(
        { from: startOfDayAfter(today, -monthDaysBefore, zone), to: now },
        'day',
        zone,
      )
      const [buckets, attempts] = await Promise.all([
        statistics.list(range, userId),
        attemptCounts.ofUser(startOfDayAfter(today, -weekDaysBefore, zone), today, userId),
      ])
      return { days: daysOf(buckets), attempts: ofWeek(attempts) }
    },
    async attemptsOfToken(tokenId, reader) {
      const zone = zoneOf(reader)
      const today = startOfDay(unixSeconds(clock), zone)
      await writeAttempts()
      return ofWeek(
        await attemptCounts.ofToken(startOfDayAfter(today, -weekDaysBefore, zone), today, tokenId),
      )
    },
  }
}

function ofWeek(attempts: readonly AttemptsOfModel[]): AttemptsOfWeek {
  return { today: totalsOf(attempts.filter(({ isToday }) => isToday)), week: totalsOf(attempts) }
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
