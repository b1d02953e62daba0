import { timesOf } from '../../lib/format/range-times.ts'
import type { Times } from '../../lib/format/time-range.ts'
import { isAboutCall } from './log-type.ts'

/** Filter of the rows on screen. */
export interface LogFilter extends Times {
  readonly type?: number | undefined
  readonly token?: string | undefined
  /** The number of a key. */
  readonly key?: number | undefined
  /** A name, or a pattern with `*` for anything, which an address shows as it is. */
  readonly model?: string | undefined
  readonly group?: string | undefined
  readonly channel?: number | undefined
  readonly tried?: number | undefined
  readonly rescued?: boolean | undefined
  readonly user?: string | undefined
  /** Reason of failed calls alone. */
  readonly reason?: string | undefined
}

/** The filter as the calls take it. */
export interface LogQuery {
  readonly type?: number
  readonly token_name?: string
  readonly token_id?: number
  readonly model_name?: string
  readonly group?: string
  readonly start_timestamp?: number
  readonly end_timestamp?: number
  readonly channel?: number
  readonly tried_channel?: number
  readonly rescued?: true
  readonly username?: string
  readonly reason?: string
}

/** Returns the query to send. Fields only administrators may filter by are left out for others. */
export function queryOf(filter: LogFilter, now: Date, admin: boolean): LogQuery {
  const { type, token, key, model, group, reason } = filter
  const { from, to } = timesOf(filter, now)
  return {
    ...(type !== undefined && { type }),
    ...(token !== undefined && { token_name: token }),
    ...(key !== undefined && { token_id: key }),
    ...(model !== undefined && { model_name: model.replaceAll('*', '%') }),
    ...(group !== undefined && { group }),
    ...(from !== undefined && { start_timestamp: from }),
    ...(to !== undefined && { end_timestamp: to }),
    ...(reason !== undefined && { reason }),
    ...(admin && queryOfAdministrators(filter)),
  }
}

function queryOfAdministrators({ channel, tried, rescued, user }: LogFilter): LogQuery {
  return {
    ...(channel !== undefined && { channel }),
    ...(tried !== undefined && { tried_channel: tried }),
    ...(rescued === true && { rescued }),
    ...(user !== undefined && { username: user }),
  }
}

/** Decides whether the filter has charged or failed calls: rows of other types have no histogram. */
export function isOfCalls({ type }: Pick<LogFilter, 'type'>): boolean {
  return type === undefined || isAboutCall({ type })
}

/** Typed text as a model filter that finds it anywhere in a name; text with a `*` or `%` is a pattern already. */
export function modelPattern(text: string): string | undefined {
  if (text === '') return undefined
  return isPattern(text) ? text : `*${text}*`
}

/** The text behind such a filter; `undefined` for a filter that is one exact name. */
export function patternText(model: string | undefined): string | undefined {
  if (model === undefined || !isPattern(model)) return undefined
  const inner = /^[*%]([^*%]+)[*%]$/.exec(model)
  return inner?.[1] ?? model
}

function isPattern(model: string): boolean {
  return /[*%]/.test(model)
}

/** Request ids of the gateway: local time of the server as 14 digits, 9 digits of fraction, 8 random characters. */
export function isRequestId(text: string): boolean {
  return /^\d{23}[0-9A-Za-z]{8}$/.test(text)
}
