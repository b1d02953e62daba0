import { type LogType, logTypes } from '@tollgate/api/roles'
import { entryOf } from '../../lib/entry-of.ts'
import type { SqlWords } from '../dialects/words.ts'
import type { LogRow, Quota, Seconds } from '../entities.ts'
import type { BatchStatement } from '../program.ts'
import { clipKey, storableKey } from '../text.ts'
import { hourOf, safe } from './aggregate.ts'
import { jsonRows } from './json-rows.ts'

/** A row but for its type, which rows that are written together mostly share. */
type LoggedRow = Omit<LogRow, 'id' | 'type'>

/** Rows of one statement: written down in a few milliseconds. */
const rowsPerStatement = 500

/** Statements that add rows to the log and to its hourly rollup. */
export function* logRowStatements<Row extends LoggedRow>(
  rows: readonly Row[],
  typeOf: (row: Row) => LogType,
  words: SqlWords,
): Generator<BatchStatement, void> {
  for (let first = 0; first < rows.length; first += rowsPerStatement)
    yield insertRows(rows.slice(first, first + rowsPerStatement), typeOf, words)
  if (rows.length > 0) yield addToRollup(rows, typeOf, words)
}

function insertRows<Row extends LoggedRow>(
  rows: readonly Row[],
  typeOf: (row: Row) => LogType,
  words: SqlWords,
): BatchStatement {
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
      logTypes[typeOf(row)],
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

interface RollupSum {
  readonly hour: Seconds
  readonly type: LogType
  readonly userId: number
  readonly model: string
  count: number
  quota: Quota
  promptTokens: number
  completionTokens: number
}

function addToRollup<Row extends LoggedRow>(
  rows: readonly Row[],
  typeOf: (row: Row) => LogType,
  words: SqlWords,
): BatchStatement {
  return words.insertRows(
    'usage_hourly',
    {
      hour: 'integer',
      type: 'integer',
      user_id: 'integer',
      model: 'text',
      count: 'integer',
      quota: 'integer',
      prompt_tokens: 'integer',
      completion_tokens: 'integer',
    },
    jsonRows(sumByHour(rows, typeOf), (sum) => [
      sum.hour,
      logTypes[sum.type],
      sum.userId,
      sum.model,
      sum.count,
      sum.quota,
      sum.promptTokens,
      sum.completionTokens,
    ]),
    `on conflict (hour, type, user_id, model) do update set
      count = usage_hourly.count + excluded.count,
      quota = usage_hourly.quota + excluded.quota,
      prompt_tokens = usage_hourly.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = usage_hourly.completion_tokens + excluded.completion_tokens`,
  )
}

function sumByHour<Row extends LoggedRow>(rows: readonly Row[], typeOf: (row: Row) => LogType): RollupSum[] {
  const sums = new Map<string, RollupSum>()
  const models = new Map<string, string>()
  for (const row of rows) {
    const { userId } = row
    const hour = hourOf(row.createdAt)
    const type = typeOf(row)
    // As it will stand in the table: PostgreSQL refuses a statement that meets one row twice.
    const model = entryOf(models, row.model, storableKey)
    const sum = entryOf(sums, `${hour} ${type} ${userId} ${model}`, () => ({
      hour,
      type,
      userId,
      model,
      count: 0,
      quota: 0,
      promptTokens: 0,
      completionTokens: 0,
    }))
    sum.count += 1
    sum.quota = safe(sum.quota + row.quota)
    sum.promptTokens = safe(sum.promptTokens + row.promptTokens)
    sum.completionTokens = safe(sum.completionTokens + row.completionTokens)
  }
  return [...sums.values()]
}
