import type { Granularity } from '@tollgate/api'
import { hoursOf, quartersOf, stepLengths, stepsOf, type TimeRange, type Zone } from '@tollgate/api/calendar'
import type { StatisticsRange } from '../../store/log/statistics.ts'

/** Above this many days, rows by hour are more than a chart can show. */
const maxDaysOfHours = 4
/** Clocks that are put back make days longer. */
const changeSeconds = stepLengths.hour.seconds

/** The granularity of rows of so many seconds. */
export function granularityOf(requested: Granularity | undefined, seconds: number): Granularity {
  const granularity = requested ?? 'hour'
  const max = maxDaysOfHours * stepLengths.day.seconds + changeSeconds
  return granularity === 'hour' && seconds > max ? 'day' : granularity
}

/**
 * Returns the range that charts show: hours of the reader's clock that begin in it, or days and weeks of the quarter hours that do.
 */
export function rangeOfSteps(range: TimeRange, granularity: Granularity, zone: Zone): StatisticsRange {
  const { from, end } = granularity === 'hour' ? hoursOf(range, zone) : quartersOf(range)
  if (end <= from) return { from, end: from, starts: [from] }
  return { from, end, starts: stepsOf({ from, to: end - 1 }, stepLengths[granularity], zone).starts }
}
