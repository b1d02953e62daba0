import { logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../../../program.ts'
import { storableText } from '../../../schema/text.ts'
import { type Block, blockFields, type Match } from '../block.ts'
import { type Look, type PostingCondition, postingConditions, timesOf } from '../filter.ts'
import type { LogFilter } from '../log-row.ts'
import { matchBlocks } from '../match.ts'
import { hashRequestId } from '../request-ids.ts'
import { type JointSums, jointLookOf, sumJoint } from './joint-parts.ts'
import { entryPart, findEntry, findRequest, partsPerSpan, requestPart, type SpanEntry } from './span-parts.ts'
import {
  type BlockMask,
  type BlockRange,
  blocksIn,
  isOneOfBlocks,
  listSpans,
  rangesOutside,
  type Span,
} from './spans.ts'

/** A part of the sealed log that has rows of a filter. */
export interface Stretch {
  readonly count: number
  /** Quota of its rows where a span tells it: of consumption rows, or of those of the filter's types. */
  readonly charged: number | undefined
  /** Its first block. */
  readonly position: number
  readonly min_at: number
  readonly max_at: number
  /** A block that was read, or the blocks of a span that may have rows. */
  readonly blocks: Match | readonly number[]
}

/** The sealed log under a filter. */
export interface Stretches {
  /** Newest first. */
  readonly all: readonly Stretch[]
  /** The blocks of some of them, newest first, read at once. */
  matchesOf(stretches: readonly Stretch[]): Program<readonly Match[]>
}

/**
 * Spans tell the counts of one condition, beside consumption as type, and of several together; where they do not, at the ends of a
 * period, the blocks are read that may have rows of all conditions.
 */
export function* stretchesOf(filter: LogFilter): Program<Stretches> {
  const conditions = yield* postingConditions(filter)
  if (conditions === undefined) return { all: [], matchesOf: nothing }
  const spans = yield* listSpans()
  const found = yield* withJointSums({ filter, conditions }, yield* lookUp({ filter, conditions }, spans))
  const look = { filter, conditions: rarestFirst(conditions, found) }
  const known: Stretch[] = []
  const unknown: number[] = []
  for (const one of found) {
    const totals = totalsOf({ filter, conditions }, one)
    const blocks = [...blocksIn(one.span, one.mask)]
    if (totals === undefined) unknown.push(...blocks)
    else if (totals.count > 0) known.push({ ...totals, ...positionOf(one.span), blocks })
  }
  const read = yield* matchBlocks(look, [
    ...(yield* readBlocks(look, unknown)),
    ...(yield* readBlocksOutside(look, rangesOutside(spans))),
  ])
  return {
    all: [...known, ...read.map(asStretch)].toSorted((one, other) => other.position - one.position),
    matchesOf: (stretches) => matchesOf(look, stretches),
  }
}

// biome-ignore lint/correctness/useYield: no statement is needed
function* nothing(): Program<readonly Match[]> {
  return []
}

function positionOf({ id, min_at, max_at }: Span | Block) {
  return { position: id, min_at, max_at }
}

function asStretch(match: Match): Stretch {
  return { ...positionOf(match.block), count: match.count, charged: undefined, blocks: match }
}

function* matchesOf(look: Look, stretches: readonly Stretch[]): Program<readonly Match[]> {
  const read: Match[] = []
  const unread: number[] = []
  for (const { blocks } of stretches)
    if ('block' in blocks) read.push(blocks)
    else unread.push(...blocks)
  const others = yield* matchBlocks(look, yield* readBlocks(look, unread))
  return [...read, ...others].toSorted((one, other) => other.block.id - one.block.id)
}

/** Those of some counted parts that have the rows from `skip` on, and how many rows lie before them. */
export function takeCounts<Part extends { readonly count: number }>(
  parts: readonly Part[],
  skip: number,
  size: number,
): { taken: readonly Part[]; skipped: number } {
  const taken: Part[] = []
  let skipped = 0
  let end = 0
  for (const part of parts) {
    if (end >= skip + size) break
    end += part.count
    if (end <= skip) skipped = end
    else taken.push(part)
  }
  return { taken, skipped }
}

/** A span with the blocks that may have rows of every condition. */
interface Found {
  readonly span: Span
  readonly mask: BlockMask
  /** Entries of the conditions, in their order. */
  readonly entries: readonly SpanEntry[]
  /** Sums of all conditions together, where the span has such. */
  readonly joint?: JointSums
}

function* lookUp({ filter, conditions }: Look, spans: readonly Span[]): Program<readonly Found[]> {
  const { from, to } = timesOf(filter)
  let found = spans
    .filter((span) => span.max_at >= from && span.min_at <= to)
    .map((span): Found => ({ span, mask: 0xffffffff, entries: [] }))
  for (const condition of conditions) {
    const entries = yield* readEntries(condition, found)
    found = found.flatMap(({ span, mask, entries: former }) => {
      const entry = entries.get(span.id)
      const both = entry === undefined ? 0 : (mask & entry.mask) >>> 0
      return entry === undefined || both === 0 ? [] : [{ span, mask: both, entries: [...former, entry] }]
    })
  }
  return filter.requestId === undefined ? found : yield* withRequest(found, filter.requestId)
}

function* readEntries(
  { dimensions, values }: PostingCondition,
  found: readonly Found[],
): Program<ReadonlyMap<number, SpanEntry>> {
  const sums = new Map<number, SpanEntry>()
  const parts = dimensions.flatMap((dimension) => values.map((value) => entryPart(dimension, value)))
  for (const part of new Set(parts))
    for (const [span, data] of yield* readSpanParts(found, part))
      for (const value of values) {
        // A value of another part is in none of this one's entries.
        const entry = findEntry(data, value)
        if (entry !== undefined) sums.set(span, united(sums.get(span), entry))
      }
  return sums
}

/** No row has two values of one condition. */
function united(one: SpanEntry | undefined, other: SpanEntry): SpanEntry {
  if (one === undefined) return other
  return {
    count: one.count + other.count,
    calls: one.calls + other.calls,
    charged: one.charged + other.charged,
    mask: (one.mask | other.mask) >>> 0,
  }
}

/** Adds the sums of several conditions together. */
function* withJointSums(look: Look, found: readonly Found[]): Program<readonly Found[]> {
  const joint = countedAlone(look) === undefined ? jointLookOf(look.conditions) : undefined
  if (joint === undefined || look.filter.requestId !== undefined) return found
  const sums = new Map<number, JointSums>()
  for (const part of joint.parts)
    for (const [span, data] of yield* readSpanParts(found, part))
      sums.set(span, unitedSums(sums.get(span), sumJoint(data, joint.accepted)))
  return found.flatMap((one) => {
    const sum = sums.get(one.span.id)
    if (sum === undefined) return [one]
    const mask = (one.mask & sum.mask) >>> 0
    return mask === 0 ? [] : [{ ...one, mask, joint: sum }]
  })
}

function unitedSums(one: JointSums | undefined, other: JointSums): JointSums {
  if (one === undefined) return other
  return {
    count: one.count + other.count,
    charged: one.charged + other.charged,
    mask: (one.mask | other.mask) >>> 0,
  }
}

function* withRequest(found: readonly Found[], requestId: string): Program<readonly Found[]> {
  const hash = hashRequestId(storableText(requestId))
  const parts = yield* readSpanParts(found, requestPart(hash))
  return found.flatMap((one) => {
    const data = parts.get(one.span.id)
    const mask = data === undefined ? 0 : (one.mask & findRequest(data, hash)) >>> 0
    return mask === 0 ? [] : [{ ...one, mask }]
  })
}

/** Reads one part of the spans, by span. */
function* readSpanParts(found: readonly Found[], part: number): Program<ReadonlyMap<number, Uint8Array>> {
  if (found.length === 0) return new Map()
  const [newest, oldest] = [found[0]?.span.id ?? 0, found.at(-1)?.span.id ?? 0]
  const rows = yield* query<{ span: number; data: Uint8Array }>(
    `select log_spans.id as span, data from log_spans cross join log_span_parts
      where log_spans.id >= ? and log_spans.id <= ? and log_span_parts.id = log_spans.id * ${partsPerSpan} + ?`,
    [oldest, newest, part],
  )
  return new Map(rows.map(({ span, data }) => [span, data]))
}

/** Blocks without a row of the first condition are not read for the next ones. */
function rarestFirst(
  conditions: readonly PostingCondition[],
  found: readonly Found[],
): readonly PostingCondition[] {
  return conditions
    .map((condition, index) => ({
      condition,
      count: found.reduce((sum, { entries }) => sum + (entries[index]?.count ?? 0), 0),
    }))
    .toSorted((one, other) => one.count - other.count)
    .map(({ condition }) => condition)
}

interface Totals {
  readonly count: number
  readonly charged: number
}

/** Returns a span's totals of its rows under the filter; `undefined` when only its blocks have them. */
function totalsOf(look: Look, { span, entries, joint }: Found): Totals | undefined {
  const { filter, conditions } = look
  const { from, to } = timesOf(filter)
  if (filter.requestId !== undefined || span.min_at < from || span.max_at > to) return undefined
  const alone = countedAlone(look)
  if (alone === undefined) return joint
  const { count, calls, charged } = (alone === 'none' ? undefined : entries[alone]) ?? span
  return { count: conditions.some(isConsumption) ? calls : count, charged }
}

/** The index of the one condition beside consumption, whose entry tells the totals; `undefined` where there are several. */
function countedAlone({ conditions }: Look): number | 'none' | undefined {
  const others = [...conditions.keys()].filter((index) => !isConsumption(conditions[index]))
  return others.length > 1 ? undefined : (others[0] ?? 'none')
}

function isConsumption(condition: PostingCondition | undefined): boolean {
  return (
    condition?.dimensions[0] === 'type' && condition.values.every((type) => type === logTypes.consumption)
  )
}

function* readBlocks(look: Look, ids: readonly number[]): Program<readonly Block[]> {
  if (ids.length === 0) return []
  const { from, to } = timesOf(look.filter)
  return yield* query<Block>(
    `select ${blockFields} from log_blocks
      where max_at >= ? and min_at <= ? and ${isOneOfBlocks(
        'id',
        ids.toSorted((a, b) => a - b),
      )} order by id desc`,
    [from, to],
  )
}

function* readBlocksOutside(look: Look, ranges: readonly BlockRange[]): Program<readonly Block[]> {
  if (ranges.length === 0) return []
  const { from, to } = timesOf(look.filter)
  return yield* query<Block>(
    `select ${blockFields} from log_blocks
      where max_at >= ? and min_at <= ? and (${ranges.map(() => 'id >= ? and id <= ?').join(' or ')})
      order by id desc`,
    [from, to, ...ranges.flatMap(({ first, last }) => [first, last])],
  )
}
