import { type LogEntry, type LogOther, type LogType, logTypes, nameOf } from '@tollgate/api'

/** Returns the type of a row; `unknown` for types of other gateways. */
export function typeOf({ type }: Pick<LogEntry, 'type'>): LogType | 'unknown' {
  return nameOf(logTypes, type) ?? 'unknown'
}

/** Rows about a call that was charged: only they have tokens and a bill. */
export function isCall({ type }: Pick<LogEntry, 'type'>): boolean {
  return type === logTypes.consumption
}

/** Rows about a call that failed: they say what was tried, and cost nothing. */
export function isFailedCall({ type }: Pick<LogEntry, 'type'>): boolean {
  return type === logTypes.error
}

const endsByUpstream: readonly (string | undefined)[] = ['upstream_cut', 'upstream_error', 'timeout']

/** Calls that another channel might have answered: they failed, or their upstream broke the response off. */
export function mayBeReplayed(entry: Pick<LogEntry, 'type'>, { ended }: Pick<LogOther, 'ended'>): boolean {
  return isFailedCall(entry) || (isCall(entry) && endsByUpstream.includes(ended))
}

/** Rows about a call, whether it was answered or failed: they have a model, times and channels. */
export function isAboutCall(entry: Pick<LogEntry, 'type'>): boolean {
  return isCall(entry) || isFailedCall(entry)
}
