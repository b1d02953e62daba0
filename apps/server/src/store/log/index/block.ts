import { type Program, query } from '../../program.ts'
import { type Bitmap, countPositions, eachPosition, everyPosition, intersect } from './bitmap.ts'
import { type BlockColumn, columnPart, partsPerBlock } from './dimensions.ts'
import { readPackedNumbers } from './packed-numbers.ts'

export interface Block {
  readonly id: number
  readonly first_id: number
  readonly last_id: number
  readonly count: number
  readonly quota: number
  readonly min_at: number
  readonly max_at: number
}

export const blockFields = 'id, first_id, last_id, count, quota, min_at, max_at'

/** The rows of a sealed block that match a filter. */
export interface Match {
  readonly block: Block
  readonly count: number
  /** Their positions; `undefined` means every row. */
  readonly bits: (() => Bitmap) | undefined
}

/** `words` becomes part of the new match. */
export function intersection(match: Match, words: Bitmap): Match[] {
  if (match.bits !== undefined) intersect(words, match.bits())
  const count = countPositions(words)
  return count === 0 ? [] : [{ ...match, count, bits: () => words }]
}

/** Bounds the memory of one read. */
const blocksPerRead = 32

export function chunks(matches: readonly Match[]): Match[][] {
  return Array.from({ length: Math.ceil(matches.length / blocksPerRead) }, (_, index) =>
    matches.slice(index * blocksPerRead, (index + 1) * blocksPerRead),
  )
}

export function* readColumn(
  name: BlockColumn,
  matches: readonly Match[],
): Program<ReadonlyMap<number, Uint8Array>> {
  const rows = yield* query<{ id: number; data: Uint8Array }>(
    `select id, data from log_block_parts where id in (${matches.map(() => '?').join(', ')})`,
    matches.map(({ block }) => block.id * partsPerBlock + columnPart(name)),
  )
  return new Map(rows.map((row) => [Math.floor(row.id / partsPerBlock), row.data]))
}

export function numbersOf(
  columns: ReadonlyMap<number, Uint8Array>,
  block: Block,
): (position: number) => number {
  const packed = columns.get(block.id)
  if (packed === undefined) throw new Error(`block ${block.id} of the log has lost a column`)
  return readPackedNumbers(packed, block.count)
}

/** Positions of a match's rows in its block, oldest first. */
export function positionsOf({ block, bits }: Match): number[] {
  const positions: number[] = []
  eachPosition(bits?.() ?? everyPosition(block.count), (position) => positions.push(position))
  return positions
}

/** Ids within a block are consecutive except for flushes that were rolled back. */
export function* idsAt({ block }: Match, positions: readonly number[]): Program<readonly number[]> {
  if (block.last_id - block.first_id + 1 === block.count)
    return positions.map((position) => block.first_id + position)
  const rows = yield* query<{ id: number }>(
    'select id from logs where id >= ? and id <= ? and created_at between ? and ? order by id',
    [block.first_id, block.last_id, block.min_at, block.max_at],
  )
  return positions.map((position) => rows[position]?.id ?? 0)
}
