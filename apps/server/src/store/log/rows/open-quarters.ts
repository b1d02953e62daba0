import { hourSeconds } from '@tollgate/api/calendar'
import type { SqlTexts } from '../../dialects/sql-dialect.ts'
import type { BatchStatement } from '../../program.ts'
import type { Seconds } from '../../units.ts'

/**
 * Says which quarters have rows of their own in the hourly tables: those are read beside the hours, and taken over into them later. The
 * first quarter of an hour has the row of the hour.
 * @param starts beginnings of quarters, of which some may be there twice
 */
export function openQuarters(starts: Iterable<Seconds>, dialect: SqlTexts): BatchStatement[] {
  const later = [...new Set(starts)].filter((start) => start % hourSeconds !== 0).sort((a, b) => a - b)
  if (later.length === 0) return []
  return [
    dialect.insertRows(
      'open_quarters',
      { quarter: 'integer' },
      later.map((start) => [start]),
      // An update locks the row: a quarter that is being taken over is not closed while rows are added to it.
      'on conflict (quarter) do update set quarter = excluded.quarter',
    ),
  ]
}
