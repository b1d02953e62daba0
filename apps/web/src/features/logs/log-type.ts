import { type LogEntry, type LogType, logTypes, nameOf } from '@tollgate/api'

/** What a row is about; `unknown` for types of other gateways. */
export function typeOf({ type }: Pick<LogEntry, 'type'>): LogType | 'unknown' {
  return nameOf(logTypes, type) ?? 'unknown'
}

/** Rows about a call: only they have tokens, times and a channel. */
export function isCall({ type }: Pick<LogEntry, 'type'>): boolean {
  return type === logTypes.consumption
}

/** Rows about a call that failed: they say what was tried, and cost nothing. */
export function isFailedCall({ type }: Pick<LogEntry, 'type'>): boolean {
  return type === logTypes.error
}
