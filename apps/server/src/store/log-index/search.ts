import { type Program, query } from '../program.ts'
import { lastSealedId } from './dimensions.ts'
import { rowCondition } from './filter.ts'
import type { LogFilter, LogRow, LogSearch, LogSearchResult } from './log-row.ts'
import { logColumns, logTable, type StoredLog } from './log-row.ts'
import { matchBlocks } from './match.ts'
import { positionsOf, readRowsAt } from './match-rows.ts'

/** Rows of the filter whose content starts with the text. */
export function* readSearch({ filter, content, limit, maxScanned }: LogSearch): Program<LogSearchResult> {
  const found = { rows: [] as LogRow[], total: 0 }
  const begin = content.toLowerCase()
  let left = maxScanned
  const look = (rows: readonly StoredLog[]) => {
    left -= rows.length
    for (const row of rows) {
      if (!row.content.toLowerCase().startsWith(begin)) continue
      found.total += 1
      if (found.rows.length < limit) found.rows.push(logTable.read(row))
    }
  }
  look(yield* readTail(filter, left))
  for (const match of yield* matchBlocks(filter)) {
    if (left <= 0) return { ...found, complete: false }
    const isCut = match.count > left
    look(yield* readRowsAt(match, positionsOf(match).slice(-left)))
    if (isCut) return { ...found, complete: false }
  }
  return { ...found, complete: left > 0 }
}

function* readTail(filter: LogFilter, size: number): Program<readonly StoredLog[]> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  const condition = rowCondition(filter)
  return yield* query<StoredLog>(
    `select ${logColumns} from logs where id > ? and ${condition.sql} order by id desc limit ?`,
    [sealed?.id ?? 0, ...condition.parameters, size],
  )
}
