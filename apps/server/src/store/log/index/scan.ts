import { logSentence } from '@tollgate/api/log-events'
import { logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../../program.ts'
import { type Block, blockFields, idsAt, positionsOf } from './block.ts'
import { lastSealedId } from './dimensions.ts'
import { postingConditions, rowCondition, timesOf } from './filter.ts'
import {
  type LogBatch,
  type LogFilter,
  type LogRow,
  type LogSearch,
  type LogSearchResult,
  logColumns,
  logTable,
  type StoredLog,
} from './log-row.ts'
import { matchBlocks, readRowsAt, readRowsById } from './match.ts'
import { stretchesOf } from './spans/stretches.ts'

/**
 * Some rows of the filtered log, newest first, below the id `before`: unsealed ones, or some of one block. The cost
 * does not depend on how deep it is in the log, and the batch may be empty although more rows follow.
 */
export function* readBatch(filter: LogFilter, before: number | undefined, size: number): Program<LogBatch> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  const lastSealed = sealed?.id ?? 0
  const start = before ?? Number.MAX_SAFE_INTEGER
  return start > lastSealed + 1
    ? yield* readTail(filter, lastSealed, start, size)
    : yield* readSealed(filter, start, size)
}

function* readTail(filter: LogFilter, lastSealed: number, before: number, size: number): Program<LogBatch> {
  const condition = rowCondition(filter)
  const rows = yield* query<StoredLog>(
    `select ${logColumns} from logs where id > ? and id < ? and ${condition.sql} order by id desc limit ?`,
    [lastSealed, before, ...condition.parameters, size],
  )
  const isLast = rows.length < size
  return { rows: rows.map(logTable.read), next: isLast ? lastSealed + 1 : rows.at(-1)?.id }
}

function* readSealed(filter: LogFilter, before: number, size: number): Program<LogBatch> {
  const { from, to } = timesOf(filter)
  const [block] = yield* query<Block>(
    `select ${blockFields} from log_blocks where first_id < ? and max_at >= ? and min_at <= ? order by id desc limit 1`,
    [before, from, to],
  )
  if (block === undefined) return { rows: [], next: undefined }
  const conditions = yield* postingConditions(filter)
  const [match] = conditions === undefined ? [] : yield* matchBlocks({ filter, conditions }, [block])
  if (match === undefined) return { rows: [], next: block.first_id }
  const ids = (yield* idsAt(match, positionsOf(match))).filter((id) => id < before)
  const taken = ids.slice(-size)
  const rows = (yield* readRowsById(taken, block.min_at, block.max_at)).map(logTable.read)
  return { rows, next: taken.length < ids.length ? taken[0] : block.first_id }
}

/** Rows of calls, charged and failed, behind the id `after` up to `upTo`, oldest first. */
export function* readCallsAfter(after: number, upTo: number, size: number): Program<readonly LogRow[]> {
  const rows = yield* query<StoredLog>(
    `select ${logColumns} from logs where id > ? and id <= ? and type in (?, ?) order by id limit ?`,
    [after, upTo, logTypes.consumption, logTypes.error, size],
  )
  return rows.map(logTable.read)
}

/** Rows of the filter whose sentence starts with the text. */
export function* readSearch({
  filter,
  content,
  reader,
  limit,
  maxScanned,
}: LogSearch): Program<LogSearchResult> {
  const found = { rows: [] as LogRow[], total: 0 }
  const begin = content.toLowerCase()
  let left = maxScanned
  const look = (rows: readonly StoredLog[]) => {
    left -= rows.length
    for (const row of rows) {
      if (!logSentence(row, reader).toLowerCase().startsWith(begin)) continue
      found.total += 1
      if (found.rows.length < limit) found.rows.push(logTable.read(row))
    }
  }
  look(yield* readNewest(filter, left))
  const stretches = yield* stretchesOf(filter)
  for (const stretch of stretches.all)
    for (const match of yield* stretches.matchesOf([stretch])) {
      if (left <= 0) return { ...found, complete: false }
      const isCut = match.count > left
      look(yield* readRowsAt([{ match, positions: positionsOf(match).slice(-left) }]))
      if (isCut) return { ...found, complete: false }
    }
  return { ...found, complete: left > 0 }
}

function* readNewest(filter: LogFilter, size: number): Program<readonly StoredLog[]> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  const condition = rowCondition(filter)
  return yield* query<StoredLog>(
    `select ${logColumns} from logs where id > ? and ${condition.sql} order by id desc limit ?`,
    [sealed?.id ?? 0, ...condition.parameters, size],
  )
}
