import type { timeRanges } from './search.ts'

export type TimeRange = 'today' | (typeof timeRanges)[number]

/** Which rows are on screen. */
export interface LogFilter {
  readonly type?: number | undefined
  readonly token?: string | undefined
  /** A name, or a pattern with `%`. */
  readonly model?: string | undefined
  readonly group?: string | undefined
  readonly range?: Exclude<TimeRange, 'today'> | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly channel?: number | undefined
  readonly user?: string | undefined
}

/** The filter as the calls take it. */
export interface LogQuery {
  readonly type?: number
  readonly token_name?: string
  readonly model_name?: string
  readonly group?: string
  readonly start_timestamp?: number
  readonly end_timestamp?: number
  readonly channel?: number
  readonly username?: string
}

const hour = 3600
const day = 24 * hour

/** First and last second a range covers, seen from `now`. The end lies ahead, so that clocks may disagree a little. */
export function timesOf(
  { range, from, to }: Pick<LogFilter, 'range' | 'from' | 'to'>,
  now: Date,
): { readonly from?: number; readonly to?: number } {
  const seconds = Math.floor(now.getTime() / 1000)
  const until = seconds + hour
  switch (range) {
    case undefined:
      return { from: startOfDay(now), to: until }
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

function startOfDay(now: Date): number {
  return Math.floor(new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() / 1000)
}

/** What to ask for. Fields only administrators may filter by are left out for others. */
export function queryOf(filter: LogFilter, now: Date, admin: boolean): LogQuery {
  const { type, token, model, group, channel, user } = filter
  const { from, to } = timesOf(filter, now)
  return {
    ...(type !== undefined && { type }),
    ...(token !== undefined && { token_name: token }),
    ...(model !== undefined && { model_name: model }),
    ...(group !== undefined && { group }),
    ...(from !== undefined && { start_timestamp: from }),
    ...(to !== undefined && { end_timestamp: to }),
    ...(admin && channel !== undefined && { channel }),
    ...(admin && user !== undefined && { username: user }),
  }
}

/** Whether anything besides the time narrows the list. */
export function isNarrowed({ range: _range, from: _from, to: _to, ...rest }: LogFilter): boolean {
  return Object.values(rest).some((value) => value !== undefined)
}

/** Typed text as a model filter that finds it anywhere in a name; text with a `%` is a pattern already. */
export function modelPattern(text: string): string | undefined {
  if (text === '') return undefined
  return text.includes('%') ? text : `%${text}%`
}

/** The text behind such a filter; `undefined` for a filter that is one exact name. */
export function patternText(model: string | undefined): string | undefined {
  if (!model?.includes('%')) return undefined
  const inner = /^%([^%]+)%$/.exec(model)
  return inner?.[1] ?? model
}
