import { getOrInsert } from '@tollgate/base'
import { type Program, query } from '../../program.ts'
import type { Seconds } from '../../units.ts'
import { eachPosition, everyPosition } from './bitmap.ts'
import { chunks, idsAt, type Match, numbersOf, readColumn } from './block.ts'
import { lastSealedId } from './dimensions.ts'
import { rowCondition } from './filter.ts'
import { type LogFilter, type LogRow, logTable } from './log-row.ts'
import { readRowsById } from './match.ts'
import { stretchesOf } from './spans/stretches.ts'

/** Figures by which rows are ranked: the charge, or the whole seconds that a call took. */
export type TopFigure = 'quota' | 'duration'

/** The rows of a filter with the largest figures. */
export interface TopRows {
  /** Largest first; the newest first among equals. */
  readonly rows: LogRow[]
  /** Unset when only the newest rows of the filter were searched. */
  readonly complete: boolean
  /** The oldest row that was searched is not older; 0 for a complete search. */
  readonly since: Seconds
}

const columnOf = { quota: 'quota', duration: 'use_time_seconds' } as const satisfies Record<TopFigure, string>

/**
 * Blocks that one search reads at most: 16 million rows for a charge, of which blocks have a packed column; 200,000 for a duration, which
 * rows alone have.
 */
const maxBlocks = { quota: 2000, duration: 25 } as const satisfies Record<TopFigure, number>

interface Candidate {
  readonly id: number
  readonly value: number
  /** Times between which its row is. */
  readonly from: Seconds
  readonly to: Seconds
}

/** Reads the rows of a filter that cost most, or took longest. */
export function* readTop(filter: LogFilter, figure: TopFigure, size: number): Program<TopRows> {
  const stretches = yield* stretchesOf(filter)
  const all = yield* stretches.matchesOf(stretches.all)
  const searched = all.slice(0, maxBlocks[figure])
  const sealed =
    figure === 'quota' ? yield* costliest(searched, size) : yield* slowest(filter, searched, size)
  const best = largest([...(yield* unsealed(filter, figure, size)), ...sealed], size)
  const ids = best.map(({ id }) => id)
  const [from, to] = [best.map((row) => row.from), best.map((row) => row.to)]
  const found = yield* readRowsById(ids, Math.min(...from), Math.max(...to))
  const rank = new Map(ids.map((id, index) => [id, index]))
  const complete = searched.length === all.length
  return {
    rows: found.map(logTable.read).sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0)),
    complete,
    since: complete ? 0 : Math.min(...searched.map(({ block }) => block.min_at)),
  }
}

function largest<Ranked extends { readonly value: number; readonly id?: number }>(
  all: readonly Ranked[],
  size: number,
): Ranked[] {
  return all.toSorted((a, b) => b.value - a.value || (b.id ?? 0) - (a.id ?? 0)).slice(0, size)
}

function* unsealed(filter: LogFilter, figure: TopFigure, size: number): Program<readonly Candidate[]> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  return yield* topOfIds(filter, figure, size, (sealed?.id ?? 0) + 1, Number.MAX_SAFE_INTEGER)
}

/** The largest of the rows with these ids, both inclusive. */
function* topOfIds(
  filter: LogFilter,
  figure: TopFigure,
  size: number,
  first: number,
  last: number,
): Program<readonly Candidate[]> {
  const condition = rowCondition(filter)
  return yield* query<Candidate>(
    `select id, ${columnOf[figure]} as value, created_at as "from", created_at as "to" from logs
      where id >= ? and id <= ? and ${condition.sql} order by 2 desc, id desc limit ?`,
    [first, last, ...condition.parameters, size],
  )
}

function* slowest(filter: LogFilter, matches: readonly Match[], size: number): Program<readonly Candidate[]> {
  let best: readonly Candidate[] = []
  for (const { block } of matches) {
    const { first_id, last_id } = block
    best = largest([...best, ...(yield* topOfIds(filter, 'duration', size, first_id, last_id))], size)
  }
  return best
}

interface Ranked {
  readonly match: Match
  readonly position: number
  readonly value: number
}

/** Ranks by the packed column of each block, which holds no row: the rows of the largest are read alone. */
function* costliest(matches: readonly Match[], size: number): Program<readonly Candidate[]> {
  let best: Ranked[] = []
  for (const chunk of chunks(matches)) {
    const columns = yield* readColumn('quota', chunk)
    for (const match of chunk) best = largest([...best, ...largestOf(match, columns, best, size)], size)
  }
  const byMatch = new Map<Match, Ranked[]>()
  for (const ranked of best) getOrInsert(byMatch, ranked.match, () => []).push(ranked)
  const found: Candidate[] = []
  for (const [match, ranked] of byMatch) {
    const positions = ranked.map(({ position }) => position)
    const ids = yield* idsAt(match, positions)
    const { min_at: from, max_at: to } = match.block
    for (const [index, { value }] of ranked.entries()) found.push({ id: ids[index] ?? 0, value, from, to })
  }
  return found
}

/** Rows of a block that are among the largest so far. Newer blocks come first, so that an equal of an older one is not. */
function largestOf(
  match: Match,
  columns: ReadonlyMap<number, Uint8Array>,
  best: readonly Ranked[],
  size: number,
): readonly Ranked[] {
  const { block, bits } = match
  const valueAt = numbersOf(columns, block)
  const min = best.length < size ? Number.NEGATIVE_INFINITY : (best.at(-1)?.value ?? 0)
  let own: Ranked[] = []
  eachPosition(bits?.() ?? everyPosition(block.count), (position) => {
    const value = valueAt(position)
    if (value <= min) return
    own.push({ match, position, value })
    if (own.length > 4 * size) own = newestLargest(own, size)
  })
  return newestLargest(own, size)
}

function newestLargest(ranked: readonly Ranked[], size: number): Ranked[] {
  return ranked.toSorted((a, b) => b.value - a.value || b.position - a.position).slice(0, size)
}
