import { type Program, query } from '../../program.ts'
import { addPosition, type Bitmap, eachPosition, everyPosition, noPosition } from './bitmap.ts'
import { type Block, chunks, idsAt, intersection, type Match, numbersOf, readColumn } from './block.ts'
import { type BlockColumn, partsPerBlock, postingPart } from './dimensions.ts'
import { type Look, type PostingCondition, timesOf } from './filter.ts'
import { logColumns, type StoredLog } from './log-row.ts'
import { areFew, narrowByRows, sumByRows } from './narrow-by-rows.ts'
import { findPostings, type Posting } from './postings.ts'
import { narrowToRequest } from './request-ids.ts'
import { isOneOfBlocks } from './spans/spans.ts'

interface Times {
  readonly from: number
  readonly to: number
}

/** Those of some blocks that have rows of a filter, in their order. */
export function* matchBlocks(
  { filter, conditions }: Look,
  blocks: readonly Block[],
): Program<readonly Match[]> {
  let matches: readonly Match[] = blocks.map((block) => ({ block, bits: undefined, count: block.count }))
  for (const [index, condition] of conditions.entries()) {
    if (index > 0 && areFew(matches)) return yield* narrowByRows(matches, filter)
    matches = narrow(matches, condition, yield* postings(condition, matches))
  }
  const inTime = yield* narrowToTimes(matches, timesOf(filter))
  return filter.requestId === undefined ? inTime : yield* narrowToRequest(inTime, filter, filter.requestId)
}

/** Sum of a column over the matches. */
export function* sumOf(
  column: Extract<BlockColumn, 'quota' | 'tokens'>,
  matches: readonly Match[],
): Program<number> {
  const isKnown = (match: Match) => column === 'quota' && match.bits === undefined
  const known = matches.filter(isKnown)
  let sum = known.reduce((total, { block }) => total + block.quota, 0)
  const unknown = matches.filter((match) => !isKnown(match))
  if (areFew(unknown)) return sum + (yield* sumByRows(column, unknown))
  for (const chunk of chunks(unknown)) {
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

/** Reads the parts that may hold postings of the requested values, by block. */
function* postings({ dimensions, values }: PostingCondition, matches: readonly Match[]): Program<Postings> {
  const found = new Map<number, Uint8Array[]>()
  const ids = matches.map(({ block }) => block.id).toSorted((a, b) => a - b)
  const parts = dimensions.flatMap((dimension) => values.map((value) => postingPart(dimension, value)))
  for (const part of new Set(parts)) {
    const rows = yield* query<{ block: number; data: Uint8Array }>(
      `select log_blocks.id as block, data from log_blocks cross join log_block_parts
        where ${isOneOfBlocks('log_blocks.id', ids)} and log_block_parts.id = log_blocks.id * ${partsPerBlock} + ?`,
      [part],
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

/** These rows, newest first. Their times let a server pass over partitions. */
export function* readRowsById(
  ids: readonly number[],
  from: number,
  to: number,
): Program<readonly StoredLog[]> {
  if (ids.length === 0) return []
  return yield* query<StoredLog>(
    `select ${logColumns} from logs
      where id in (${ids.map(() => '?').join(', ')}) and created_at >= ? and created_at <= ? order by id desc`,
    [...ids, from, to],
  )
}

/** Some rows of a block. */
export interface Position {
  readonly match: Match
  readonly positions: readonly number[]
}

/** Rows of some blocks, newest first. */
export function* readRowsAt(locations: readonly Position[]): Program<readonly StoredLog[]> {
  const ids: number[] = []
  for (const { match, positions } of locations) ids.push(...(yield* idsAt(match, positions)))
  const blocks = locations.map(({ match }) => match.block)
  return yield* readRowsById(
    ids,
    Math.min(...blocks.map((block) => block.min_at)),
    Math.max(...blocks.map((block) => block.max_at)),
  )
}
