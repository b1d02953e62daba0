import { logTypes } from '@tollgate/api/roles'
import { getOrInsert } from '@tollgate/base'
import { type Program, query, type Value } from '../../program.ts'
import type { Seconds } from '../../units.ts'
import type { Block } from './block.ts'
import {
  type BlockColumn,
  type ColumnDimension,
  columnPart,
  lastSealedId,
  partsPerBlock,
  postingPart,
  type TextDimension,
} from './dimensions.ts'
import { failoverPart, failoverValues, hasSeveralAttempts, rescued } from './failover/failover.ts'
import { packNumbers, rangeOf } from './packed-numbers.ts'

import { encodePostings, type ValuePosition } from './postings.ts'
import { hashRequestId } from './request-ids.ts'
import { type TermCache, termIds } from './terms.ts'

export interface SealResult {
  /** False when there were not enough rows for a block. */
  readonly sealed: boolean
  /** Rows that certainly remain. */
  readonly unsealed: number
}

interface UnsealedRow {
  readonly id: number
  readonly created_at: number
  readonly type: number
  readonly user_id: number
  readonly channel_id: number
  readonly token_id: number
  readonly quota: number
  readonly tokens: number
  readonly token_name: string
  readonly model: string
  readonly group: string
  readonly request_id: string
  /** Its `other` where it has several attempts. */
  readonly attempts: string
}

/**
 * Seals the oldest `size` unsealed rows of the log as one block: for every value of every dimension its positions in
 * the block, and columns of numbers. Any filter is then an intersection of small bit sets, for any combination and
 * however rare. Sealed rows never change; clearing the log cuts their block. Runs in a transaction of its own, with
 * other writers of log rows locked out.
 * @param terms ids of texts that were found before in this database
 */
export function* sealBlock(size: number, terms: TermCache): Program<SealResult> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  const after = sealed?.id ?? 0
  const [tail] = yield* query<{ count: number; last: number }>(
    `select count(*) as count, max(id) as last
      from (select id from logs where id > ? order by id limit ${size}) as tail`,
    [after],
  )
  if (tail === undefined || tail.count < size) return { sealed: false, unsealed: tail?.count ?? 0 }
  const [newest] = yield* query<{ id: number }>('select coalesce(max(id), 0) as id from log_blocks')
  const rows = yield* readRows(after + 1, tail.last, Number.MIN_SAFE_INTEGER)
  yield* writeBlock((newest?.id ?? 0) + 1, rows, terms)
  return { sealed: true, unsealed: 0 }
}

/** Leaves in a block the rows from a time on; returns how many it removed from the block. The rows themselves stay. */
export function* cutBlock(block: Block, from: Seconds, terms: TermCache): Program<number> {
  const isExpired = block.max_at < from
  const rows = isExpired ? [] : yield* readRows(block.first_id, block.last_id, from)
  const firstPart = block.id * partsPerBlock
  yield* query('delete from log_block_parts where id >= ? and id < ?', [firstPart, firstPart + partsPerBlock])
  yield* query('delete from log_blocks where id = ?', [block.id])
  yield* writeBlock(block.id, rows, terms)
  return block.count - rows.length
}

function readRows(firstId: number, lastId: number, from: Seconds): Program<readonly UnsealedRow[]> {
  return query<UnsealedRow>(
    `select id, created_at, type, user_id, channel_id, token_id, quota,
        prompt_tokens + completion_tokens as tokens, token_name, model, "group", request_id,
        case when ${hasSeveralAttempts} then other else '' end as attempts
      from logs where id >= ? and id <= ? and created_at >= ? order by id`,
    [firstId, lastId, from],
  )
}

/** Writes nothing without rows. */
function* writeBlock(block: number, rows: readonly UnsealedRow[], terms: TermCache): Program<void> {
  const first = rows[0]
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return
  const columns: Record<BlockColumn, Float64Array> = {
    created_at: column(rows, (row) => row.created_at),
    quota: column(rows, (row) => row.quota),
    tokens: column(rows, (row) => row.tokens),
    request: column(rows, (row) => hashRequestId(row.request_id)),
  }
  const quota = columns.quota.reduce((sum, value) => sum + value, 0)
  const { min, max } = rangeOf(columns.created_at)
  yield* insertRows('log_blocks (id, first_id, last_id, count, quota, min_at, max_at)', [
    [block, first.id, last.id, rows.length, quota, min, max],
  ])
  const values = yield* dimensionValues(rows, terms)
  const postings = Object.entries(values).flatMap(([name, ofRows]) => [
    ...encodePostings(name as ColumnDimension, ofRows),
  ])
  const failover = failoverPart(rows.flatMap(failoverPositions), rows.length)
  const numbers = Object.entries(columns).map(
    ([name, ofRows]): Part => [columnPart(name as BlockColumn), packNumbers(ofRows)],
  )
  yield* insertRows(
    'log_block_parts (id, data)',
    [...postings, ...numbers, [postingPart('failover', rescued), failover] as const].map(([part, data]) => [
      block * partsPerBlock + part,
      data,
    ]),
  )
}

type Part = readonly [part: number, data: Uint8Array]

function failoverPositions(row: UnsealedRow, position: number): ValuePosition[] {
  const { type, channel_id: channelId, attempts: other } = row
  if (other === '') return []
  const isCharged = type === logTypes.consumption
  return failoverValues({ isCharged, channelId, other }).map((value) => [value, position])
}

/** A loop, where `Float64Array.from` would ask an iterator for every row: this runs beside traffic. */
function column(rows: readonly UnsealedRow[], numberOf: (row: UnsealedRow) => number): Float64Array {
  const values = new Float64Array(rows.length)
  let index = 0
  for (const row of rows) values[index++] = numberOf(row)
  return values
}

function* dimensionValues(
  rows: readonly UnsealedRow[],
  terms: TermCache,
): Program<Record<ColumnDimension, Float64Array>> {
  return {
    type: column(rows, (row) => row.type),
    user: column(rows, (row) => row.user_id),
    channel: column(rows, (row) => row.channel_id),
    token: yield* termColumn(rows, 'token', (row) => row.token_name, terms),
    model: yield* termColumn(rows, 'model', (row) => row.model, terms),
    group: yield* termColumn(rows, 'group', (row) => row.group, terms),
    key: column(rows, (row) => row.token_id),
  }
}

function* termColumn(
  rows: readonly UnsealedRow[],
  dimension: TextDimension,
  textOf: (row: UnsealedRow) => string,
  terms: TermCache,
): Program<Float64Array> {
  const positions = new Map<string, number>()
  const nextPosition = () => positions.size
  const positionOfRow = column(rows, (row) => getOrInsert(positions, textOf(row), nextPosition))
  const ids = yield* termIds(dimension, [...positions.keys()], terms)
  return positionOfRow.map((position) => ids[position] ?? 0)
}

const rowsPerInsert = 64

export function* insertRows(target: string, rows: readonly (readonly Value[])[]): Program<void> {
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const chunk = rows.slice(start, start + rowsPerInsert)
    const positions = chunk.map((row) => `(${row.map(() => '?').join(', ')})`)
    yield* query(`insert into ${target} values ${positions.join(', ')}`, chunk.flat())
  }
}
