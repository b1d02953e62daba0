import { logTypes, nameOf } from '@tollgate/api'
import type { LogFilter } from '../../store/log/index/log-row.ts'

/** Filters as consoles send them: wire integers, 0 or blank for "any". */
export interface LogQuery {
  readonly type?: number | undefined
  readonly token_name?: string | undefined
  readonly model_name?: string | undefined
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
  readonly group?: string | undefined
  readonly request_id?: string | undefined
  readonly reason?: string | undefined
}

export interface AdminLogQuery extends LogQuery {
  readonly username?: string | undefined
  readonly channel?: number | undefined
}

/**
 * The filter that a query means; `undefined` when no row can match. An unknown type selects no rows instead of all, so
 * that a newer console never gets rows of other types.
 */
export function toLogFilter(
  query: LogQuery & { readonly channel?: number | undefined },
): LogFilter | undefined {
  const type = query.type ? nameOf(logTypes, query.type) : undefined
  if (query.type && type === undefined) return undefined
  if (query.reason && type && type !== 'error') return undefined
  return {
    ...(type && { type }),
    ...(query.token_name && { tokenName: query.token_name }),
    ...(query.model_name && { model: query.model_name }),
    ...(query.group && { group: query.group }),
    ...(query.request_id && { requestId: query.request_id }),
    ...(query.reason && { reason: query.reason, type: 'error' as const }),
    ...(query.channel && { channelId: query.channel }),
    ...(query.start_timestamp && { from: query.start_timestamp }),
    ...(query.end_timestamp && { to: query.end_timestamp }),
  }
}
