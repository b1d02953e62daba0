import type { Granularity } from '@tollgate/api'
import type { StatisticsRange } from '../store/statistics.ts'

const hour = 3600
const day = 24 * hour
const stepSeconds = { hour, day, week: 7 * day } as const satisfies Record<Granularity, number>

/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const weekShift = 3 * day

/** Above this many days, rows by hour are more than a chart can show. */
const mostDaysOfHours = 4

/** The granularity of rows of so many seconds. */
export function shownGranularity(asked: Granularity | undefined, seconds: number): Granularity {
  const granularity = asked ?? 'hour'
  return granularity === 'hour' && seconds > mostDaysOfHours * day ? 'day' : granularity
}

/**
 * Steps of the caller's clock. Figures are stored by the hour of UTC: where clocks are half an hour off, a day starts
 * with the hour that starts within it.
 * @param utcOffset minutes that the caller's clock is ahead of UTC
 */
export function stepsOf(
  granularity: Granularity,
  utcOffset: number,
): Pick<StatisticsRange, 'stepSeconds' | 'shiftSeconds'> {
  if (granularity === 'hour') return { stepSeconds: hour, shiftSeconds: 0 }
  const shift = utcOffset * 60 + (granularity === 'week' ? weekShift : 0)
  // Never below zero, so that a remainder is one.
  return { stepSeconds: stepSeconds[granularity], shiftSeconds: shift + stepSeconds[granularity] }
}

/** The start of the caller's day. */
export function startOfDay(now: number, utcOffset: number): number {
  return now - ((now + utcOffset * 60) % day)
}

/** The same of so many days ago. Days of 23 and 25 hours are as long as the others here. */
export function daysBefore(start: number, days: number): number {
  return start - days * day
}
