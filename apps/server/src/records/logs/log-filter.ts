import { logTypes, nameOf } from '@tollgate/api'
import type { LogFilter } from '../../store/log/index/log-row.ts'

/** Filters as consoles send them: wire integers, 0 or blank for "any". */
export interface LogQuery {
  readonly type?: number | undefined
  readonly token_name?: string | undefined
  readonly token_id?: number | undefined
  readonly model_name?: string | undefined
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
  readonly group?: string | undefined
  readonly request_id?: string | undefined
  readonly reason?: string | undefined
}

/** What administrators alone filter by, beside users. */
interface ChannelQuery {
  readonly channel?: number | undefined
  readonly tried_channel?: number | undefined
  readonly rescued?: boolean | undefined
}

export interface AdminLogQuery extends LogQuery, ChannelQuery {
  readonly username?: string | undefined
}

/**
 * The filter that a query means; `undefined` when no row can match. An unknown type selects no rows instead of all, so
 * that a newer console never gets rows of other types.
 */
export function toLogFilter(query: LogQuery & ChannelQuery): LogFilter | undefined {
  const type = query.type ? nameOf(logTypes, query.type) : undefined
  if (query.type && type === undefined) return undefined
  if (query.reason && type && type !== 'error') return undefined
  return {
    ...(type && { type }),
    ...(query.token_name && { tokenName: query.token_name }),
    ...(query.token_id && { tokenId: query.token_id }),
    ...(query.model_name && { model: query.model_name }),
    ...(query.group && { group: query.group }),
    ...(query.request_id && { requestId: query.request_id }),
    ...(query.reason && { reason: query.reason, type: 'error' as const }),
    ...ofChannels(query),
    ...(query.start_timestamp && { from: query.start_timestamp }),
    ...(query.end_timestamp && { to: query.end_timestamp }),
  }
}

function ofChannels({ channel, tried_channel, rescued }: ChannelQuery): LogFilter {
  return {
    ...(channel && { channelId: channel }),
    ...(tried_channel && { triedChannelId: tried_channel }),
    ...(rescued && { isRescued: true }),
  }
}
