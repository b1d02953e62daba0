import { type LogEntry, logTypes } from '@tollgate/api'
import { type LogReader, logSentence } from '@tollgate/api/log-events'
import type { LogRow } from '../../store/log/index/log-row.ts'

/** A row as administrators see it. */
export function adminView(row: LogRow, channelName: (id: number) => string, reader: LogReader): LogEntry {
  return {
    ...wireFields(row, reader),
    channel: row.channelId,
    channel_name: channelName(row.channelId),
    other: row.other,
    cost: row.cost,
  }
}

/** A row as its owner sees it: without the channels that were tried or served, and without what it cost. */
export function ownView(row: LogRow, reader: LogReader): LogEntry {
  return { ...wireFields(row, reader), channel: 0, channel_name: '', other: withoutAdminInfo(row.other) }
}

function wireFields(
  row: LogRow,
  reader: LogReader,
): Omit<LogEntry, 'channel' | 'channel_name' | 'other' | 'cost'> {
  return {
    id: row.id,
    created_at: row.createdAt,
    type: logTypes[row.type],
    user_id: row.userId,
    username: row.username,
    token_id: row.tokenId,
    token_name: row.tokenName,
    model_name: row.model,
    quota: row.quota,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    use_time: row.useTimeSeconds,
    is_stream: row.isStream,
    group: row.group,
    content: logSentence(row, reader),
    request_id: row.requestId,
  }
}

/** Text that is not a JSON object is dropped, since it might hold admin info in another form. */
function withoutAdminInfo(other: string): string {
  if (other === '') return ''
  try {
    const parsed: unknown = JSON.parse(other)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return ''
    const { admin_info: _hidden, ...rest } = parsed as Record<string, unknown>
    return JSON.stringify(rest)
  } catch {
    return ''
  }
}
