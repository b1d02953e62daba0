import type { AttemptsOfWeek, UserActivity } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../billing/ledger-types.ts'
import type { AttemptsOfModel } from '../store/attempt-counts.ts'
import type { AttemptCountRepository } from '../store/repositories/attempt-counts.ts'
import type { StatisticsRepository, UsageBucket } from '../store/statistics.ts'
import { totalsOf } from './attempt-totals.ts'
import { daysBefore, startOfDay, stepsOf } from './steps.ts'

interface Dependencies {
  readonly statistics: Pick<StatisticsRepository, 'list'>
  readonly attemptCounts: Pick<AttemptCountRepository, 'ofUser' | 'ofToken'>
  /** Writes the attempts that this node has counted. */
  readonly writeAttempts: () => Promise<void>
  readonly ledger: Pick<Ledger, 'flush'>
  readonly clock: Clock
}

/** What one user or key did lately. Days are those of the reader's clock. */
export interface Activity {
  ofUser(userId: number, utcOffset: number): Promise<Omit<UserActivity, 'keys'>>
  attemptsOfToken(tokenId: number, utcOffset: number): Promise<AttemptsOfWeek>
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
    async ofUser(userId, utcOffset) {
      const now = unixSeconds(clock)
      const today = startOfDay(now, utcOffset)
      await Promise.all([ledger.flush(), writeAttempts()])
      const range = { from: daysBefore(today, monthDaysBefore), to: now, ...stepsOf('day', utcOffset) }
      const [buckets, attempts] = await Promise.all([
        statistics.list(range, userId),
        attemptCounts.ofUser(daysBefore(today, weekDaysBefore), today, userId),
      ])
      return { days: daysOf(buckets), attempts: ofWeek(attempts) }
    },
    async attemptsOfToken(tokenId, utcOffset) {
      const today = startOfDay(unixSeconds(clock), utcOffset)
      await writeAttempts()
      return ofWeek(await attemptCounts.ofToken(daysBefore(today, weekDaysBefore), today, tokenId))
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
