import { type Program, query } from '../../program.ts'
import { type Match, positionsOf } from './block.ts'
import { lastSealedId } from './dimensions.ts'
import { rowCondition } from './filter.ts'
import type { LogFilter, LogRow } from './log-row.ts'
import { logColumns, logTable, type StoredLog } from './log-row.ts'
import { type Position, readRowsAt, sumOf } from './match.ts'
import { type Stretches, stretchesOf, takeCounts } from './spans/stretches.ts'

export interface LogPage {
  readonly rows: LogRow[]
  readonly total: number
}

/** A page of the filtered log by id, newest first: unsealed rows are read themselves, the rest through blocks. */
export function* readPage(filter: LogFilter, page: number, size: number): Program<LogPage> {
  // A page beyond every log is empty, and no number that a database takes.
  const skip = Math.min((page - 1) * size, Number.MAX_SAFE_INTEGER - size)
  const tail = yield* readTail(yield* tailOf(filter), skip, size)
  const stretches = yield* stretchesOf(filter)
  const older = yield* readStretches(stretches, Math.max(0, skip - tail.count), size - tail.rows.length)
  return {
    rows: [...tail.rows, ...older].map(logTable.read),
    total: stretches.all.reduce((sum, stretch) => sum + stretch.count, tail.count),
  }
}

/** Narrows a row that is looked for by its id: its time lets a server pass over partitions. */
export interface RowHint {
  readonly at?: number | undefined
  readonly userId?: number | undefined
}

/** The row with an id, whose time and owner are as given. */
export function* readRow(id: number, { at, userId }: RowHint): Program<LogRow | undefined> {
  const conditions = [
    'id = ?',
    ...(at === undefined ? [] : ['created_at = ?']),
    ...(userId === undefined ? [] : ['user_id = ?']),
  ]
  const rows = yield* query<StoredLog>(
    `select ${logColumns} from logs where ${conditions.join(' and ')}`,
    [id, at, userId].filter((value) => value !== undefined),
  )
  return rows[0] && logTable.read(rows[0])
}

export function* readQuota(filter: LogFilter): Program<number> {
  const summedUp = filter.type === undefined ? ({ ...filter, type: 'consumption' } as const) : filter
  const tail = yield* tailOf(summedUp)
  const [summed] = yield* query<{ quota: number }>(
    `select cast(coalesce(sum(quota), 0) as bigint) as quota ${tail.from}`,
    tail.parameters,
  )
  const stretches = yield* stretchesOf(summedUp)
  const known = stretches.all.reduce((sum, { charged = 0 }) => sum + charged, summed?.quota ?? 0)
  const unknown = stretches.all.filter(({ charged }) => charged === undefined)
  return known + (yield* sumOf('quota', yield* stretches.matchesOf(unknown)))
}

export function* readRecent(
  { to: _to, ...filter }: LogFilter,
  since: number,
): Program<{ requests: number; tokens: number }> {
  if (isOtherThanConsumption(filter)) return { requests: 0, tokens: 0 }
  const recent = { ...filter, type: 'consumption', from: since } as const
  const tail = yield* tailOf(recent)
  const [counted] = yield* query<{ requests: number; tokens: number }>(
    `select count(*) as requests,
      cast(coalesce(sum(prompt_tokens + completion_tokens), 0) as bigint) as tokens ${tail.from}`,
    tail.parameters,
  )
  const stretches = yield* stretchesOf(recent)
  const matches = yield* stretches.matchesOf(stretches.all)
  return {
    requests: matches.reduce((sum, match) => sum + match.count, counted?.requests ?? 0),
    tokens: (counted?.tokens ?? 0) + (yield* sumOf('tokens', matches)),
  }
}

/** Recognises a filter without consumption, which alone counts as load. */
function isOtherThanConsumption({ type }: LogFilter): boolean {
  return type !== undefined && type !== 'consumption' && !type.includes('consumption')
}

interface Tail {
  readonly from: string
  readonly parameters: (number | string | Uint8Array | null)[]
}

/** `from` and `where` of the filtered rows that no block holds yet. */
function* tailOf(filter: LogFilter): Program<Tail> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  const condition = rowCondition(filter)
  return {
    from: `from logs where id > ? and ${condition.sql}`,
    parameters: [sealed?.id ?? 0, ...condition.parameters],
  }
}

/** Rows and their number in one statement where there are some: it opens every partition, which takes a tenth of a millisecond each. */
function* readTail(
  tail: Tail,
  skip: number,
  size: number,
): Program<{ rows: readonly StoredLog[]; count: number }> {
  const rows = yield* query<StoredLog & { total: number }>(
    `select ${logColumns}, count(*) over () as total ${tail.from} order by id desc limit ? offset ?`,
    [...tail.parameters, size, skip],
  )
  const [first] = rows
  if (first !== undefined || skip === 0) return { rows, count: first?.total ?? 0 }
  const [counted] = yield* query<{ count: number }>(`select count(*) as count ${tail.from}`, tail.parameters)
  return { rows, count: counted?.count ?? 0 }
}

function* readStretches(stretches: Stretches, skip: number, size: number): Program<readonly StoredLog[]> {
  const { taken, skipped } = takeCounts(stretches.all, skip, size)
  const matches = takeCounts(yield* stretches.matchesOf(taken), skip - skipped, size)
  let left = skip - skipped - matches.skipped
  let wanted = size
  const locations: Position[] = []
  for (const match of matches.taken) {
    const positions = newestPositions(match, left, wanted)
    locations.push({ match, positions })
    wanted -= positions.length
    left = 0
  }
  return yield* readRowsAt(locations)
}

function newestPositions(match: Match, skip: number, size: number): number[] {
  const { bits, count } = match
  if (bits === undefined)
    return Array.from({ length: Math.min(size, count - skip) }, (_, index) => count - 1 - skip - index)
  return positionsOf(match)
    .reverse()
    .slice(skip, skip + size)
}
