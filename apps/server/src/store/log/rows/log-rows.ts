import { type LogType, logTypes } from '@tollgate/api/roles'
import type { RowColumns, SqlTexts } from '../../dialects/sql-dialect.ts'
import type { BatchStatement } from '../../program.ts'
import { clipKey, withStorableTexts } from '../../schema/text.ts'
import type { NewLogRow } from '../index/log-row.ts'
import { ChannelFailures } from './channel-failures.ts'
import { openQuarters } from './open-quarters.ts'
import { RollupSums } from './rollup-sums.ts'

/** A row but for its type, which rows of one insert mostly share. */
export type LoggedRow = Omit<NewLogRow, 'type'>

const columns: RowColumns = {
  created_at: 'integer',
  type: 'integer',
  user_id: 'integer',
  token_id: 'integer',
  channel_id: 'integer',
  quota: 'integer',
  cost: 'integer',
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
}

/** Statements that add rows, whatever their texts hold, to the log and its hourly rollups. */
export function logRowStatements(rows: readonly NewLogRow[], dialect: SqlTexts): BatchStatement[] {
  const storable = rows.map(withStorableTexts)
  const rollup = new RollupSums()
  const failures = new ChannelFailures()
  for (const row of storable) {
    rollup.add(row.type, row)
    if (row.type === 'error') failures.add(row)
  }
  return [
    insertLogRows(storable, (row) => row.type, dialect),
    ...rollup.statements(dialect),
    ...failures.statements(dialect),
    ...openQuarters(rollup.quarters, dialect),
  ]
}

/** @param rows with texts that every database accepts */
export function insertLogRows<Row extends LoggedRow>(
  rows: readonly Row[],
  typeOf: (row: Row) => LogType,
  dialect: SqlTexts,
): BatchStatement {
  return dialect.insertRows(
    'logs',
    columns,
    rows.map((row) => [
      row.createdAt,
      logTypes[typeOf(row)],
      row.userId,
      row.tokenId,
      row.channelId,
      row.quota,
      row.cost ?? null,
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
