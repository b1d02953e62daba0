import { type Program, query } from '../../program.ts'
import { addPosition, noPosition } from './bitmap.ts'
import { idsAt, intersection, type Match, positionsOf } from './block.ts'
import type { BlockColumn } from './dimensions.ts'
import { rowCondition } from './filter.ts'
import type { LogFilter } from './log-row.ts'

/** Bounds the length of one statement. */
const rowsPerRead = 1024

const fewRowsPerBlock = 2

/** A match with its rows. */
interface Candidates {
  readonly match: Match
  readonly positions: readonly number[]
  readonly ids: readonly number[]
}

/** Decides whether looking up each row by its id is quicker than reading a part of its block. */
export function areFew(matches: readonly Match[]): boolean {
  return matches.reduce((sum, { count }) => sum + count, 0) <= fewRowsPerBlock * matches.length
}

/** Compares the rows of the matches themselves with the complete filter. */
export function* narrowByRows(matches: readonly Match[], filter: LogFilter): Program<readonly Match[]> {
  const narrowed: Match[] = []
  for (const chunk of inChunks(matches)) {
    const candidates = yield* placed(chunk)
    const found = yield* idsUnder(filter, candidates)
    narrowed.push(...candidates.flatMap((one) => withIds(one, found)))
  }
  return narrowed
}

/** Sum of a column over the matches, from their rows. */
export function* sumByRows(
  column: Extract<BlockColumn, 'quota' | 'tokens'>,
  matches: readonly Match[],
): Program<number> {
  const value = column === 'quota' ? 'quota' : 'prompt_tokens + completion_tokens'
  let total = 0
  for (const chunk of inChunks(matches)) {
    const rows = rowsOf(yield* placed(chunk))
    const [summed] = yield* query<{ sum: number }>(
      `select cast(coalesce(sum(${value}), 0) as bigint) as sum from logs where ${rows.sql}`,
      rows.parameters,
    )
    total += summed?.sum ?? 0
  }
  return total
}

function* placed(matches: readonly Match[]): Program<readonly Candidates[]> {
  const candidates: Candidates[] = []
  for (const match of matches) {
    const positions = positionsOf(match)
    candidates.push({ match, positions, ids: yield* idsAt(match, positions) })
  }
  return candidates
}

/** The rows as a condition on `logs`; their times let the server pass over other partitions. */
function rowsOf(candidates: readonly Candidates[]): { sql: string; parameters: number[] } {
  return {
    sql: `id in (${candidates.flatMap(({ ids }) => ids).join(', ')}) and created_at >= ? and created_at <= ?`,
    parameters: [
      Math.min(...candidates.map(({ match }) => match.block.min_at)),
      Math.max(...candidates.map(({ match }) => match.block.max_at)),
    ],
  }
}

function inChunks(matches: readonly Match[]): Match[][] {
  const chunks: Match[][] = []
  let rows = rowsPerRead
  for (const match of matches) {
    if (rows >= rowsPerRead) chunks.push([])
    rows = match.count + (rows >= rowsPerRead ? 0 : rows)
    chunks.at(-1)?.push(match)
  }
  return chunks
}

function* idsUnder(filter: LogFilter, candidates: readonly Candidates[]): Program<ReadonlySet<number>> {
  const condition = rowCondition(filter)
  const few = rowsOf(candidates)
  const rows = yield* query<{ id: number }>(`select id from logs where ${few.sql} and ${condition.sql}`, [
    ...few.parameters,
    ...condition.parameters,
  ])
  return new Set(rows.map(({ id }) => id))
}

function withIds({ match, positions, ids }: Candidates, found: ReadonlySet<number>): Match[] {
  const same = noPosition(match.block.count)
  for (const [index, position] of positions.entries())
    if (found.has(ids[index] ?? 0)) addPosition(same, position)
  return intersection(match, same)
}
