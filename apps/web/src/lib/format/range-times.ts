import { type CalendarRange, calendarRanges, type TimeRange, type Times } from './time-range.ts'
import { firstDayOfWeek } from './week.ts'

/** Those for figures by the hour, which say nothing of less. */
export const longRanges = [
  ...calendarRanges,
  '24h',
  '7d',
  '30d',
  'custom',
] as const satisfies readonly TimeRange[]

/** Those for the log, where every call has its second. */
export const shortRanges = [
  ...calendarRanges,
  '15m',
  '1h',
  '24h',
  '7d',
  '30d',
  'custom',
] as const satisfies readonly TimeRange[]

/** Those for lists that show everything at first. */
export const openRanges = [
  ...calendarRanges,
  'all',
  '24h',
  '7d',
  '30d',
  'custom',
] as const satisfies readonly TimeRange[]

const hour = 3600
const day = 24 * hour

/** The name of the range; times without a name are one's own. */
export function rangeOf({ range, from, to }: Times, fallback: TimeRange): TimeRange {
  return range ?? (from === undefined && to === undefined ? fallback : 'custom')
}

/**
 * First and last second a range covers, seen from `now`. An end that is still open lies ahead, so that clocks may disagree a
 * little.
 * @param fallback the range without a name
 */
export function timesOf(
  times: Times,
  now: Date,
  fallback: TimeRange = 'today',
): { readonly from?: number; readonly to?: number } {
  const seconds = Math.floor(now.getTime() / 1000)
  const until = seconds + hour
  const range = rangeOf(times, fallback)
  switch (range) {
    case '15m':
      return { from: seconds - hour / 4, to: until }
    case '1h':
      return { from: seconds - hour, to: until }
    case '24h':
      return { from: seconds - day, to: until }
    case '7d':
      return { from: seconds - 7 * day, to: until }
    case '30d':
      return { from: seconds - 30 * day, to: until }
    case 'all':
      return {}
    case 'custom': {
      const { from, to } = times
      return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    }
    default: {
      const { from, to } = calendarTimes(range, now)
      return { from, to: to ?? until }
    }
  }
}

/**
 * First second of a stretch of the calendar, and its last second when it is over. Days begin at midnight of this device's time
 * zone, also where the clock changes; weeks begin as the calendar of this device does.
 */
export function calendarTimes(
  range: CalendarRange,
  now: Date,
): { readonly from: number; readonly to?: number } {
  const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const weekStart = date - ((now.getDay() - firstDayOfWeek() + 7) % 7)
  const start = (...parts: [year: number, month: number, date: number]) =>
    Math.floor(new Date(...parts).getTime() / 1000)
  switch (range) {
    case 'today':
      return { from: start(year, month, date) }
    case 'yesterday':
      return { from: start(year, month, date - 1), to: start(year, month, date) - 1 }
    case 'week':
      return { from: start(year, month, weekStart) }
    case 'last-week':
      return { from: start(year, month, weekStart - 7), to: start(year, month, weekStart) - 1 }
    case 'month':
      return { from: start(year, month, 1) }
    case 'last-month':
      return { from: start(year, month - 1, 1), to: start(year, month, 1) - 1 }
  }
}
