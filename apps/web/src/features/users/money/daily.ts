import type { UserActivity } from '@tollgate/api'

const visibleDays = 30

/** Spend of each of the last 30 days, today last; the server leaves out days without a call. */
export function dailyQuota(days: UserActivity['days'], now: Date): readonly number[] {
  const byDay = new Map(days.map(({ at, quota }) => [dayOf(new Date(at * 1000)), quota]))
  return Array.from({ length: visibleDays }, (_, index) => {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (visibleDays - 1 - index))
    return byDay.get(dayOf(day)) ?? 0
  })
}

/** The sum of the last so many days. */
export function spentSince(daily: readonly number[], days: number): number {
  return daily.slice(-days).reduce((sum, quota) => sum + quota, 0)
}

/** The day of the calendar. */
function dayOf(time: Date): string {
  return `${time.getFullYear()}-${time.getMonth()}-${time.getDate()}`
}
