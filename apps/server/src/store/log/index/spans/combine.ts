import { logTypes } from '@tollgate/api/roles'
import { getOrInsert } from '@tollgate/base'
import { type Program, query, type Value } from '../../../program.ts'
import { addPosition, largestBlock, noPosition } from '../bitmap.ts'
import { type Block, blockFields, numbersOf, readColumn } from '../block.ts'
import { type Dimension, dimensions, partsOf, partsPerBlock } from '../dimensions.ts'
import { eachPosting } from '../postings.ts'
import { insertRows } from '../seal.ts'
import { encodeJoint, type JointRows } from './joint-parts.ts'
import {
  encodeEntries,
  encodeRequests,
  entryPart,
  jointPart,
  partsPerSpan,
  requestPart,
  type SpanEntry,
} from './span-parts.ts'
import { listSpans, rangesOutside, type Span, spanFields } from './spans.ts'

/**
 * Makes a span of the next blocks that have none: of `size` of them behind the newest span, and of fewer where a span was lost
 * because a block was cut. Runs in a transaction of its own, with sealing and cutting locked out.
 * @returns whether there were enough blocks
 */
export function* combineBlocks(size: number): Program<boolean> {
  const blocks = yield* nextBlocks(size)
  if (blocks.length > 0) yield* combine(blocks)
  return blocks.length > 0 || (yield* renewNewest())
}

/** Makes the newest span anew that is of a version without sums of combinations; returns whether there was one. */
function* renewNewest(): Program<boolean> {
  const [old] = yield* query<Span>(
    `select ${spanFields} from log_spans where not exists (select 1 from log_span_parts
      where log_span_parts.id = log_spans.id * ${partsPerSpan} + ${jointPart('model', 0)}) order by id desc limit 1`,
  )
  if (old === undefined) return false
  const first = old.id * partsPerSpan
  yield* query('delete from log_span_parts where id >= ? and id < ?', [first, first + partsPerSpan])
  yield* query('delete from log_spans where id = ?', [old.id])
  yield* combine(
    yield* query<Block>(`select ${blockFields} from log_blocks where id >= ? and id <= ? order by id`, [
      old.id,
      old.last_block,
    ]),
  )
  return true
}

function* combine(blocks: readonly Block[]): Program<void> {
  const [first, last] = [blocks[0], blocks.at(-1)]
  if (first === undefined || last === undefined) return
  const damaged = blocks.find(({ count }) => count > largestBlock)
  if (damaged !== undefined)
    throw new Error(`block ${damaged.id} of the log cannot have ${damaged.count} rows`)
  const rows = yield* readRowsOf(blocks)
  const types = yield* readDimension('type', rows)
  const consumption = types.get(logTypes.consumption)
  const span: Span = {
    id: first.id,
    last_block: last.id,
    count: blocks.reduce((sum, block) => sum + block.count, 0),
    calls: consumption?.count ?? 0,
    charged: consumption?.charged ?? 0,
    min_at: Math.min(...blocks.map((block) => block.min_at)),
    max_at: Math.max(...blocks.map((block) => block.max_at)),
  }
  yield* insertRows('log_spans (id, last_block, count, calls, charged, min_at, max_at)', [
    Object.values(span),
  ])
  yield* writeParts(span, requestParts(yield* readColumn('request', asMatches(blocks)), blocks))
  yield* writeParts(span, entryParts('type', types))
  for (const dimension of Object.keys(dimensions) as Dimension[])
    if (dimension !== 'type')
      yield* writeParts(span, entryParts(dimension, yield* readDimension(dimension, rows)))
  yield* writeParts(span, [...encodeJoint(jointRowsOf(rows))])
}

/** Adds the entries of a dimension to a span that has none of it. */
export function* addDimension(span: Span, dimension: Dimension): Program<void> {
  const blocks = yield* query<Block>(
    `select ${blockFields} from log_blocks where id >= ? and id <= ? order by id`,
    [span.id, span.last_block],
  )
  yield* writeParts(span, entryParts(dimension, yield* readDimension(dimension, yield* readRowsOf(blocks))))
}

/** Consecutive blocks outside of every span. */
function* nextBlocks(size: number): Program<readonly Block[]> {
  const spans = yield* listSpans()
  for (const { first, last } of rangesOutside(spans).toReversed()) {
    const found = yield* query<Block>(
      `select ${blockFields} from log_blocks where id >= ? and id <= ? order by id limit ${size}`,
      [first, last],
    )
    const run = found.slice(0, lengthOfRun(found))
    const isEnough = run.length === size || run.length < found.length || last < (yield* newestId())
    if (run.length > 0 && isEnough) return run
  }
  return []
}

function lengthOfRun(blocks: readonly Block[]): number {
  const gap = blocks.findIndex((block, index) => block.id !== (blocks[0]?.id ?? 0) + index)
  return gap < 0 ? blocks.length : gap
}

function* newestId(): Program<number> {
  const [newest] = yield* query<{ id: number }>('select coalesce(max(id), 0) as id from log_blocks')
  return newest?.id ?? 0
}

const asMatches = (blocks: readonly Block[]) =>
  blocks.map((block) => ({ block, count: block.count, bits: undefined }))

/** The blocks with what their rows cost. */
interface Rows {
  readonly blocks: readonly Block[]
  /** Offset of each block's rows among all. */
  readonly starts: ReadonlyMap<number, number>
  /** Filled with the dimensions as they are read. */
  readonly values: Record<Dimension, Float64Array>
  readonly quotaAt: ReadonlyMap<number, (position: number) => number>
  readonly isCall: ReadonlyMap<number, (position: number) => boolean>
}

function* readRowsOf(blocks: readonly Block[]): Program<Rows> {
  const quotas = yield* readColumn('quota', asMatches(blocks))
  const isCall = new Map<number, (position: number) => boolean>()
  for (const { block, data } of yield* readPostings('type', blocks)) {
    const words = noPosition(block.count)
    eachPosting(data, block.count, (type, _, positions) => {
      if (type === logTypes.consumption) positions((position) => addPosition(words, position))
    })
    isCall.set(block.id, (position) => (((words[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1)
  }
  const starts = new Map<number, number>()
  let length = 0
  for (const { id, count } of blocks) {
    starts.set(id, length)
    length += count
  }
  const names = Object.keys(dimensions) as Dimension[]
  const values = Object.fromEntries(names.map((name) => [name, new Float64Array(length)]))
  return {
    blocks,
    starts,
    // Every dimension is among the names.
    values: values as Record<Dimension, Float64Array>,
    isCall,
    quotaAt: new Map(blocks.map((block) => [block.id, numbersOf(quotas, block)])),
  }
}

function jointRowsOf({ blocks, starts, values, quotaAt }: Rows): JointRows {
  const quota = new Float64Array(values.type.length)
  const location = new Uint8Array(values.type.length)
  for (const [index, block] of blocks.entries()) {
    const start = starts.get(block.id) ?? 0
    const quotaOf = quotaAt.get(block.id) ?? (() => 0)
    location.fill(index, start, start + block.count)
    for (let position = 0; position < block.count; position += 1) quota[start + position] = quotaOf(position)
  }
  return { values, quota, block: location }
}

type Entries = ReadonlyMap<number, SpanEntry>

function* readDimension(
  dimension: Dimension,
  { blocks, starts, values, quotaAt, isCall }: Rows,
): Program<Entries> {
  const entries = new Map<number, { count: number; calls: number; charged: number; mask: number }>()
  for (const { block, position: location, data } of yield* readPostings(dimension, blocks)) {
    const quotaOf = quotaAt.get(block.id) ?? (() => 0)
    const start = starts.get(block.id) ?? 0
    const ofRows = values[dimension]
    const counts = dimension === 'type' ? () => true : (isCall.get(block.id) ?? (() => false))
    eachPosting(data, block.count, (value, count, positions) => {
      const entry = getOrInsert(entries, value, () => ({ count: 0, calls: 0, charged: 0, mask: 0 }))
      entry.count += count
      entry.mask = (entry.mask | (1 << location)) >>> 0
      positions((position) => {
        ofRows[start + position] = value
        if (!counts(position)) return
        entry.calls += 1
        entry.charged += quotaOf(position)
      })
    })
  }
  return entries
}

interface PostingPart {
  readonly block: Block
  /** The block's place in the span. */
  readonly position: number
  readonly data: Uint8Array
}

function* readPostings(dimension: Dimension, blocks: readonly Block[]): Program<readonly PostingPart[]> {
  const { first, end } = partsOf(dimension)
  const rows = yield* query<{ block: number; data: Uint8Array }>(
    `select log_blocks.id as block, data from log_blocks cross join log_block_parts
      where log_blocks.id >= ? and log_blocks.id <= ?
        and log_block_parts.id >= log_blocks.id * ${partsPerBlock} + ${first}
        and log_block_parts.id < log_blocks.id * ${partsPerBlock} + ${end}`,
    [blocks[0]?.id ?? 0, blocks.at(-1)?.id ?? 0],
  )
  const locations = new Map(blocks.map((block, index) => [block.id, { block, position: index }]))
  return rows.flatMap(({ block, data }) => {
    const placed = locations.get(block)
    return placed === undefined ? [] : [{ ...placed, data }]
  })
}

type Part = readonly [part: number, data: Uint8Array]

function entryParts(dimension: Dimension, entries: Entries): Part[] {
  const byPart = new Map<number, (readonly [number, SpanEntry])[]>()
  for (const entry of entries) getOrInsert(byPart, entryPart(dimension, entry[0]), () => []).push(entry)
  return Array.from(byPart, ([part, ofPart]) => [part, encodeEntries(ofPart)])
}

function requestParts(hashes: ReadonlyMap<number, Uint8Array>, blocks: readonly Block[]): Part[] {
  const byPart = new Map<number, [hash: number, location: number][]>()
  for (const [location, block] of blocks.entries()) {
    const hashAt = numbersOf(hashes, block)
    for (let position = 0; position < block.count; position += 1) {
      const hash = hashAt(position)
      getOrInsert(byPart, requestPart(hash), () => []).push([hash, location])
    }
  }
  return Array.from(byPart, ([part, ofPart]) => [part, encodeRequests(ofPart)])
}

function* writeParts(span: Span, parts: readonly Part[]): Program<void> {
  const rows = parts.map(([part, data]): readonly Value[] => [span.id * partsPerSpan + part, data])
  yield* insertRows('log_span_parts (id, data)', rows)
}
