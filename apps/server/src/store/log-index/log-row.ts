import { logTypes, nameOf } from '@tollgate/api/roles'
import type { Selectable } from 'kysely'
import type { LogRow } from '../entities.ts'
import type { StoredLogRow } from '../tables.ts'

export type StoredLog = Selectable<StoredLogRow>

export const logColumns = `id, created_at, type, user_id, username, token_id, token_name, model, quota, prompt_tokens,
  completion_tokens, use_time_seconds, is_stream, channel_id, "group", content, request_id, other`

export function toLogRow(row: StoredLog): LogRow {
  return {
    id: row.id,
    createdAt: row.created_at,
    type: nameOf(logTypes, row.type) ?? 'system',
    userId: row.user_id,
    username: row.username,
    tokenId: row.token_id,
    tokenName: row.token_name,
    model: row.model,
    quota: row.quota,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    useTimeSeconds: row.use_time_seconds,
    isStream: row.is_stream === 1,
    channelId: row.channel_id,
    group: row.group,
    content: row.content,
    requestId: row.request_id,
    other: row.other,
  }
}
