import { enumParam, integerParam } from '../search-params.ts'

/** Named stretches of time up to now; `custom` is from `from` to `to`. */
export const timeRanges = ['15m', '1h', 'today', '24h', '7d', '30d', 'custom'] as const
export type TimeRange = (typeof timeRanges)[number]

/** Those for figures by the hour, which say nothing of less. */
export const longRanges = ['today', '24h', '7d', '30d', 'custom'] as const satisfies readonly TimeRange[]

/** What an address says of time; without a range it is what the page shows at first. */
export interface Times {
  readonly range?: TimeRange | undefined
  /** Unix seconds. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export const timeParams = { range: enumParam(timeRanges), from: integerParam, to: integerParam }

const hour = 3600
const day = 24 * hour

/**
 * First and last second a range covers, seen from `now`. The end lies ahead, so that clocks may disagree a little.
 * @param fallback the range without a name
 */
export function timesOf(
  { range, from, to }: Times,
  now: Date,
  fallback: TimeRange = 'today',
): { readonly from?: number; readonly to?: number } {
  const seconds = Math.floor(now.getTime() / 1000)
  const until = seconds + hour
  switch (range ?? fallback) {
    case 'today':
      return { from: startOfDay(now), to: until }
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
    case 'custom':
      return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  }
}

export function startOfDay(now: Date): number {
  return Math.floor(new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() / 1000)
}
