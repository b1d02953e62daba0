import { calendarTimes, rangeOf, startOfDay } from '../../../lib/format/range-times.ts'
import type { TimeRange, Times } from '../../../lib/format/time-range.ts'
import type { Granularity } from '../search.ts'

const hour = 3600
const day = 24 * hour
const lengths = { hour, day, week: 7 * day } as const satisfies Record<Granularity, number>
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const weekShift = 3 * day
const mostDaysOfHours = 4

/** What is shown at first, by the installation's choice of steps. */
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
  const today = startOfDay(now)
  const range = rangeOf(times, fallback)
  switch (range) {
    case '15m':
    case '1h':
      return { from: to - (to % hour) - hour, to }
    case '24h':
      return { from: to - (to % hour) - 23 * hour, to }
    case '7d':
      return { from: today - 6 * day, to }
    case '30d':
    case 'all':
      return { from: today - 29 * day, to }
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

/** Whether so many seconds can be shown by the hour. */
export function fitsHours({ from, to }: { readonly from: number; readonly to: number }): boolean {
  return to - from <= mostDaysOfHours * day
}

/**
 * Beginnings of all steps of a chart, those without a call too; as the server reckons them.
 * @param utcOffset minutes that the clock here is ahead of UTC
 */
export function stepsOf(
  { from, to }: { readonly from: number; readonly to: number },
  granularity: Granularity,
  utcOffset: number,
): readonly number[] {
  const length = lengths[granularity]
  const shift =
    granularity === 'hour' ? 0 : utcOffset * 60 + (granularity === 'week' ? weekShift : 0) + length
  const steps: number[] = []
  for (let at = from - ((from + shift) % length); at <= to; at += length) steps.push(at)
  return steps
}

/** The last second of a step. */
export function stepEnd(at: number, granularity: Granularity): number {
  return at + lengths[granularity] - 1
}

export function utcOffsetHere(now: Date = new Date()): number {
  return -now.getTimezoneOffset()
}
