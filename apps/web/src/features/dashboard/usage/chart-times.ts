import { startOfDayAfter, stepLengths, stepsOf, type TimeSteps, type Zone } from '@tollgate/api/calendar'
import { calendarTimes, rangeOf } from '../../../lib/format/range-times.ts'
import { zoneHere } from '../../../lib/format/reader-clock.ts'
import type { TimeRange, Times } from '../../../lib/format/time-range.ts'
import type { Granularity } from '../search.ts'

const hour = 3600
const day = 24 * hour
const maxDaysOfHours = 4

/** Returns the default range, by the installation's choice of steps. */
export function defaultRangeOf(granularity: Granularity): TimeRange {
  return ({ hour: '24h', day: '7d', week: '30d' } as const)[granularity]
}

const recentRanges = ['15m', '1h'] as const satisfies readonly TimeRange[]
/** Too short for figures by the hour. */
export type RecentRange = (typeof recentRanges)[number]

/** The range where it is so short; `undefined` for longer ones. */
export function recentRangeOf(times: Times): RecentRange | undefined {
  return recentRanges.find((range) => range === times.range)
}

/** First and last second of a chart, of which all of time is the last 30 days. It begins with a whole hour or day, so that its first bar covers a full step. */
export function chartTimes(times: Times, fallback: TimeRange, now: Date): { from: number; to: number } {
  const to = Math.floor(now.getTime() / 1000)
  const zone = zoneHere()
  const thisHour = stepsOf({ from: to, to }, stepLengths.hour, zone).starts[0] ?? to
  const range = rangeOf(times, fallback)
  switch (range) {
    case '15m':
    case '1h':
      return { from: thisHour - hour, to }
    case '24h':
      return { from: thisHour - 23 * hour, to }
    case '7d':
      return { from: startOfDayAfter(to, -6, zone), to }
    case '30d':
    case 'all':
      return { from: startOfDayAfter(to, -29, zone), to }
    case 'custom': {
      const end = times.to ?? to
      return { from: times.from ?? end - 7 * day, to: end }
    }
    default:
      return { to, ...calendarTimes(range, now) }
  }
}

/** The default steps for so many seconds. */
export function granularityFor({ from, to }: { readonly from: number; readonly to: number }): Granularity {
  return to - from <= 2 * day ? 'hour' : 'day'
}

/** Decides whether so many seconds can be shown by the hour. A day on which clocks are put back has one more. */
export function fitsHours({ from, to }: { readonly from: number; readonly to: number }): boolean {
  return to - from <= maxDaysOfHours * day + hour
}

/** All steps of a chart, those without a call too; as the server reckons them. */
export function chartSteps(
  range: { readonly from: number; readonly to: number },
  granularity: Granularity,
  zone: Zone = zoneHere(),
): TimeSteps {
  const { starts, end } = stepsOf(range, stepLengths[granularity], zone)
  // Hours count that begin in the range; of the first day and week the part in it is shown.
  return { starts: granularity === 'hour' ? starts.filter((at) => at >= range.from) : starts, end }
}

/** The last second of a step. */
export function stepEnd(at: number, granularity: Granularity, zone: Zone = zoneHere()): number {
  return stepsOf({ from: at, to: at }, stepLengths[granularity], zone).end - 1
}
