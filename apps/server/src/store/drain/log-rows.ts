import { logTypes } from '@tollgate/api/roles'
import type { SqlWords } from '../dialects/words.ts'
import type { LogRow } from '../entities.ts'
import type { BatchStatement } from '../program.ts'
import { clipKey } from '../text.ts'
import { entry, hourOf, safe } from './aggregate.ts'
import { jsonRows } from './json-rows.ts'

export type NewLogRow = Omit<LogRow, 'id'>

/** Statements that add rows to the log and to its hourly rollup. */
export function logRowStatements(rows: readonly NewLogRow[], words: SqlWords): BatchStatement[] {
  return rows.length === 0 ? [] : [insertRows(rows, words), addToRollup(rows, words)]
}

function insertRows(rows: readonly NewLogRow[], words: SqlWords): BatchStatement {
  return words.insertRows(
    'logs',
    {
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
      group: 'text',
      username: 'text',
      request_id: 'text',
      content: 'text',
      other: 'text',
    },
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
      clipKey(row.tokenName),
      clipKey(row.model),
      clipKey(row.group),
      row.username,
      row.requestId,
      row.content,
      row.other,
    ]),
    '',
  )
}

interface RollupSums {
  readonly row: NewLogRow
  count: number
  quota: number
  promptTokens: number
  completionTokens: number
}

function addToRollup(rows: readonly NewLogRow[], words: SqlWords): BatchStatement {
  return words.insertRows(
    'usage_hourly',
    {
      hour: 'integer',
      type: 'integer',
      user_id: 'integer',
      token_name: 'text',
      model: 'text',
      channel_id: 'integer',
      group: 'text',
      count: 'integer',
      quota: 'integer',
      prompt_tokens: 'integer',
      completion_tokens: 'integer',
    },
    jsonRows(sumByHour(rows), ({ row, count, quota, promptTokens, completionTokens }) => [
      hourOf(row.createdAt),
      logTypes[row.type],
      row.userId,
      clipKey(row.tokenName),
      clipKey(row.model),
      row.channelId,
      clipKey(row.group),
      count,
      quota,
      promptTokens,
      completionTokens,
    ]),
    `on conflict (hour, type, user_id, token_name, model, channel_id, "group") do update set
      count = usage_hourly.count + excluded.count,
      quota = usage_hourly.quota + excluded.quota,
      prompt_tokens = usage_hourly.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = usage_hourly.completion_tokens + excluded.completion_tokens`,
  )
}

function sumByHour(rows: readonly NewLogRow[]): RollupSums[] {
  const sums = new Map<string, RollupSums>()
  for (const row of rows) {
    const { createdAt, type, userId, channelId, tokenName, model, group } = row
    const key = `${hourOf(createdAt)} ${type} ${userId} ${channelId} ${tokenName}\0${model}\0${group}`
    const sum = entry(sums, key, () => ({ row, count: 0, quota: 0, promptTokens: 0, completionTokens: 0 }))
    sum.count += 1
    sum.quota = safe(sum.quota + row.quota)
    sum.promptTokens = safe(sum.promptTokens + row.promptTokens)
    sum.completionTokens = safe(sum.completionTokens + row.completionTokens)
  }
  return [...sums.values()]
}
