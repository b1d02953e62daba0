import { type Program, query, type Value } from '../program.ts'
import { type BlockColumn, columnPart, type Dimension, lastSealedId, partsPerBlock } from './dimensions.ts'
import { packNumbers } from './packed-numbers.ts'
import { encodePostings } from './postings.ts'
import { termIds } from './terms.ts'

export interface SealResult {
  /** False when there were not enough rows for a block. */
  readonly sealed: boolean
  /** Rows known to be left. */
  readonly unsealed: number
}

interface UnsealedRow {
  readonly id: number
  readonly created_at: number
  readonly type: number
  readonly user_id: number
  readonly channel_id: number
  readonly quota: number
  readonly tokens: number
  readonly token_name: string
  readonly model: string
  readonly group: string
}

/**
 * Seals the oldest `size` rows of the log that are not sealed yet as one block: for every value of every dimension the
 * positions in the block where it stands, and three columns of numbers. Any filter is then an intersection of small bit
 * sets, whatever it combines and however rare it is. Sealed rows never change.
 * Runs in a transaction of its own while nobody else adds log rows.
 */
export function* sealBlock(size: number): Program<SealResult> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  const after = sealed?.id ?? 0
  const [tail] = yield* query<{ count: number; last: number }>(
    `select count(*) as count, max(id) as last
      from (select id from logs where id > ? order by id limit ${size}) as tail`,
    [after],
  )
  if (tail === undefined || tail.count < size) return { sealed: false, unsealed: tail?.count ?? 0 }
  const rows = yield* query<UnsealedRow>(
    `select id, created_at, type, user_id, channel_id, quota, prompt_tokens + completion_tokens as tokens,
        token_name, model, "group"
      from logs where id > ? and id <= ? order by id`,
    [after, tail.last],
  )
  yield* writeBlock(rows)
  return { sealed: true, unsealed: 0 }
}

function* writeBlock(rows: readonly UnsealedRow[]): Program<void> {
  const first = rows[0]
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return
  const [newest] = yield* query<{ id: number }>('select coalesce(max(id), 0) as id from log_blocks')
  const block = (newest?.id ?? 0) + 1
  const columns: Record<BlockColumn, Float64Array> = {
    created_at: Float64Array.from(rows, (row) => row.created_at),
    quota: Float64Array.from(rows, (row) => row.quota),
    tokens: Float64Array.from(rows, (row) => row.tokens),
  }
  const times = columns.created_at.toSorted()
  const quota = columns.quota.reduce((sum, value) => sum + value, 0)
  yield* insertRows('log_blocks (id, first_id, last_id, count, quota, min_at, max_at)', [
    [block, first.id, last.id, rows.length, quota, times[0] ?? 0, times.at(-1) ?? 0],
  ])
  const values = yield* dimensionValues(rows)
  const postings = Object.entries(values).flatMap(([name, ofRows]) => [
    ...encodePostings(name as Dimension, ofRows),
  ])
  const numbers = Object.entries(columns).map(
    ([name, ofRows]): Part => [columnPart(name as BlockColumn), packNumbers(ofRows)],
  )
  yield* insertRows(
    'log_block_parts (id, data)',
    [...postings, ...numbers].map(([part, data]) => [block * partsPerBlock + part, data]),
  )
}

type Part = readonly [part: number, data: Uint8Array]

function* dimensionValues(rows: readonly UnsealedRow[]): Program<Record<Dimension, Float64Array>> {
  const token = yield* termIds('token', new Set(rows.map((row) => row.token_name)))
  const model = yield* termIds('model', new Set(rows.map((row) => row.model)))
  const group = yield* termIds('group', new Set(rows.map((row) => row.group)))
  return {
    type: Float64Array.from(rows, (row) => row.type),
    user: Float64Array.from(rows, (row) => row.user_id),
    channel: Float64Array.from(rows, (row) => row.channel_id),
    token: Float64Array.from(rows, (row) => token.get(row.token_name) ?? 0),
    model: Float64Array.from(rows, (row) => model.get(row.model) ?? 0),
    group: Float64Array.from(rows, (row) => group.get(row.group) ?? 0),
  }
}

const rowsPerInsert = 64

function* insertRows(target: string, rows: readonly (readonly Value[])[]): Program<void> {
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const chunk = rows.slice(start, start + rowsPerInsert)
    const places = chunk.map((row) => `(${row.map(() => '?').join(', ')})`)
    yield* query(`insert into ${target} values ${places.join(', ')}`, chunk.flat())
  }
}
