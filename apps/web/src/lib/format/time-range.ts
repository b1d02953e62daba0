import { enumParam, timeParam } from '../search-params.ts'

// Part of the first load, as the addresses of pages are: what ranges come to is in `range-times.ts`.

/** Days, weeks and months of the calendar, by the clock of this device. */
export const calendarRanges = ['today', 'yesterday', 'week', 'last-week', 'month', 'last-month'] as const

/** Named stretches of time; `custom` is from `from` to `to`, and `all` has no ends. */
export const timeRanges = [...calendarRanges, '15m', '1h', '24h', '7d', '30d', 'all', 'custom'] as const
export type TimeRange = (typeof timeRanges)[number]
export type CalendarRange = (typeof calendarRanges)[number]

/** Times in an address; without a range they are the page's default. */
export interface Times {
  readonly range?: TimeRange | undefined
  /** Unix seconds. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export const timeParams = { range: enumParam(timeRanges), from: timeParam, to: timeParam }
