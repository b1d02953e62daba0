import { type Program, query } from '../program.ts'
import { addPosition, type Bitmap, eachPosition, everyPosition, noPosition } from './bitmap.ts'
import {
  type Block,
  blockFields,
  chunks,
  idsAt,
  intersection,
  type Match,
  numbersOf,
  readColumn,
} from './block.ts'
import { type BlockColumn, partsPerBlock, postingPart } from './dimensions.ts'
import { type PostingCondition, postingConditions, timesOf } from './filter.ts'
import { type LogFilter, logColumns, type StoredLog } from './log-row.ts'
import { findPostings, type Posting } from './postings.ts'
import { narrowToRequest } from './request-ids.ts'

interface Times {
  readonly from: number
  readonly to: number
}

/** Which blocks are read. */
interface Scope extends Times {
  readonly first: number
  readonly last: number
}

/** The blocks with rows that match the filter, newest first. @param block the only one to read */
export function* matchBlocks(filter: LogFilter, block?: number): Program<readonly Match[]> {
  const conditions = yield* postingConditions(filter)
  if (conditions === undefined) return []
  const times = timesOf(filter)
  const scope = { ...times, first: block ?? 0, last: block ?? Number.MAX_SAFE_INTEGER }
  const blocks = yield* query<Block>(
    `select ${blockFields} from log_blocks
      where max_at >= ? and min_at <= ? and id >= ? and id <= ? order by id desc`,
    [scope.from, scope.to, scope.first, scope.last],
  )
  let matches: readonly Match[] = blocks.map((block) => ({ block, bits: undefined, count: block.count }))
  for (const condition of conditions) matches = narrow(matches, condition, yield* postings(condition, scope))
  const inTime = yield* narrowToTimes(matches, times)
  return filter.requestId === undefined ? inTime : yield* narrowToRequest(inTime, filter.requestId)
}

/** Sum of a column over the matches. */
export function* sumOf(
  column: Extract<BlockColumn, 'quota' | 'tokens'>,
  matches: readonly Match[],
): Program<number> {
  const isKnown = (match: Match) => column === 'quota' && match.bits === undefined
  const known = matches.filter(isKnown)
  let sum = known.reduce((total, { block }) => total + block.quota, 0)
  for (const chunk of chunks(matches.filter((match) => !isKnown(match)))) {
    const values = yield* readColumn(column, chunk)
    for (const { bits, block } of chunk) {
      const valueAt = numbersOf(values, block)
      eachPosition(bits?.() ?? everyPosition(block.count), (position) => {
        sum += valueAt(position)
      })
    }
  }
  return sum
}

type Postings = ReadonlyMap<number, readonly Uint8Array[]>

/** By block, the parts that may hold postings of the requested values. */
function* postings(
  { dimension, values }: PostingCondition,
  { from, to, first, last }: Scope,
): Program<Postings> {
  const found = new Map<number, Uint8Array[]>()
  for (const part of new Set(values.map((value) => postingPart(dimension, value)))) {
    const rows = yield* query<{ block: number; data: Uint8Array }>(
      `select log_blocks.id as block, data from log_blocks cross join log_block_parts
        where max_at >= ? and min_at <= ? and log_blocks.id >= ? and log_blocks.id <= ?
          and log_block_parts.id = log_blocks.id * ${partsPerBlock} + ?`,
      [from, to, first, last, part],
    )
    for (const { block, data } of rows) {
      const ofBlock = found.get(block)
      if (ofBlock === undefined) found.set(block, [data])
      else ofBlock.push(data)
    }
  }
  return found
}

function narrow(matches: readonly Match[], { values }: PostingCondition, found: Postings): Match[] {
  return matches.flatMap((match) => {
    const size = match.block.count
    const parts = found.get(match.block.id) ?? []
    const ofBlock = parts.flatMap((part) => findPostings(part, values, size))
    const count = ofBlock.reduce((sum, posting) => sum + posting.count, 0)
    if (count === 0) return []
    if (count === size) return [match]
    const bits = () => unitedPositions(ofBlock, size)
    return match.bits === undefined ? [{ ...match, count, bits }] : intersection(match, bits())
  })
}

function unitedPositions(postings: readonly Posting[], size: number): Bitmap {
  const words = noPosition(size)
  for (const posting of postings) posting.addTo(words)
  return words
}

/** Blocks that lie across a bound match with the rows on its inner side. */
function* narrowToTimes(matches: readonly Match[], { from, to }: Times): Program<readonly Match[]> {
  const across = matches.filter(({ block }) => block.min_at < from || block.max_at > to)
  const narrowed = new Map<number, Match[]>()
  for (const chunk of chunks(across)) {
    const times = yield* readColumn('created_at', chunk)
    for (const match of chunk) {
      const { block } = match
      const timeAt = numbersOf(times, block)
      const inside = noPosition(block.count)
      for (let position = 0; position < block.count; position += 1)
        if (timeAt(position) >= from && timeAt(position) <= to) addPosition(inside, position)
      narrowed.set(block.id, intersection(match, inside))
    }
  }
  return matches.flatMap((match) => narrowed.get(match.block.id) ?? [match])
}

/** Positions of a match's rows in its block, oldest first. */
export function positionsOf({ block, bits }: Match): number[] {
  const positions: number[] = []
  eachPosition(bits?.() ?? everyPosition(block.count), (position) => positions.push(position))
  return positions
}

/** These rows of a block, newest first. */
export function* readRowsById(block: Block, ids: readonly number[]): Program<readonly StoredLog[]> {
  if (ids.length === 0) return []
  return yield* query<StoredLog>(
    `select ${logColumns} from logs
      where id in (${ids.map(() => '?').join(', ')}) and created_at between ? and ? order by id desc`,
    [...ids, block.min_at, block.max_at],
  )
}

export function* readRowsAt(match: Match, positions: readonly number[]): Program<readonly StoredLog[]> {
  return yield* readRowsById(match.block, yield* idsAt(match, positions))
}
