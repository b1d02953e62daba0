import { logTypes } from '@tollgate/api/roles'
import type { SqlWords } from '../dialects/words.ts'
import type { LogRow } from '../entities.ts'
import type { BatchStatement } from '../program.ts'
import { storableKey } from '../text.ts'
import { entry, hourOf, safe } from './aggregate.ts'
import { jsonRows } from './json-rows.ts'

export type NewLogRow = Omit<LogRow, 'id'>

/** Statements that add rows to the log and to its hourly rollup. */
export function logRowStatements(rows: readonly NewLogRow[], words: SqlWords): BatchStatement[] {
  if (rows.length === 0) return []
  const keyed = rows.map((row) => ({
    ...row,
    tokenName: storableKey(row.tokenName),
    model: storableKey(row.model),
    group: storableKey(row.group),
  }))
  return [insertRows(keyed, words), addToRollup(keyed, words)]
}

function insertRows(rows: readonly NewLogRow[], words: SqlWords): BatchStatement {
  const source = words.rowsFromJson({
    created_at: 'integer',
    type: 'integer',
    user_id: 'integer',
    token_id: 'integer',
    channel_id: 'integer',
    quota: 'integer',
    prompt_tokens: 'integer',
    completion_tokens: 'integer',
    use_time_seconds: 'integer',
    is_stream: 'integer',
    token_name: 'text',
    model: 'text',
    group_name: 'text',
    username: 'text',
    request_id: 'text',
    content: 'text',
    other: 'text',
  })
  return {
    sql: `insert into logs (created_at, type, user_id, token_id, channel_id, quota, prompt_tokens, completion_tokens,
        use_time_seconds, is_stream, token_name, model, "group", username, request_id, content, other)
      select * from ${source} as added`,
    parameters: [
      jsonRows(rows, (row) => [
        row.createdAt,
        logTypes[row.type],
        row.userId,
        row.tokenId,
        row.channelId,
        row.quota,
        row.promptTokens,
        row.completionTokens,
        row.useTimeSeconds,
        row.isStream ? 1 : 0,
        row.tokenName,
        row.model,
        row.group,
        row.username,
        row.requestId,
        row.content,
        row.other,
      ]),
    ],
  }
}

interface RollupSums {
  readonly row: NewLogRow
  count: number
  quota: number
  promptTokens: number
  completionTokens: number
}

function addToRollup(rows: readonly NewLogRow[], words: SqlWords): BatchStatement {
  const sums = new Map<string, RollupSums>()
  for (const row of rows) {
    const key = [
      hourOf(row.createdAt),
      row.type,
      row.userId,
      row.channelId,
      row.tokenName,
      row.model,
      row.group,
    ].join('\0')
    const sum = entry(sums, key, () => ({ row, count: 0, quota: 0, promptTokens: 0, completionTokens: 0 }))
    sum.count += 1
    sum.quota = safe(sum.quota + row.quota)
    sum.promptTokens = safe(sum.promptTokens + row.promptTokens)
    sum.completionTokens = safe(sum.completionTokens + row.completionTokens)
  }
  const source = words.rowsFromJson({
    hour: 'integer',
    type: 'integer',
    user_id: 'integer',
    token_name: 'text',
    model: 'text',
    channel_id: 'integer',
    group_name: 'text',
    count: 'integer',
    quota: 'integer',
    prompt_tokens: 'integer',
    completion_tokens: 'integer',
  })
  return {
    sql: `insert into usage_hourly (hour, type, user_id, token_name, model, channel_id, "group",
        count, quota, prompt_tokens, completion_tokens)
      select * from ${source} as added where true
      on conflict (hour, type, user_id, token_name, model, channel_id, "group") do update set
        count = usage_hourly.count + excluded.count,
        quota = usage_hourly.quota + excluded.quota,
        prompt_tokens = usage_hourly.prompt_tokens + excluded.prompt_tokens,
        completion_tokens = usage_hourly.completion_tokens + excluded.completion_tokens`,
    parameters: [
      jsonRows([...sums.values()], ({ row, count, quota, promptTokens, completionTokens }) => [
        hourOf(row.createdAt),
        logTypes[row.type],
        row.userId,
        row.tokenName,
        row.model,
        row.channelId,
        row.group,
        count,
        quota,
        promptTokens,
        completionTokens,
      ]),
    ],
  }
}
