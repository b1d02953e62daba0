import { type Program, query } from '../../../program.ts'

/**
 * Some consecutive sealed blocks, with sums of every value that occurs in them: a filter reads these first, and blocks only where
 * they do not tell enough. A block that is cut or cleared takes its span with it, by a trigger.
 */
export interface Span {
  /** Its first block's. */
  readonly id: number
  readonly last_block: number
  readonly count: number
  /** Consumption rows, and their quota. */
  readonly calls: number
  readonly charged: number
  readonly min_at: number
  readonly max_at: number
}

/** Mask of the blocks of a span that have a value: its first block has the lowest of 32 bits. */
export type BlockMask = number

/** Columns of a span. */
export const spanFields = 'id, last_block, count, calls, charged, min_at, max_at'

/** Newest first. */
export function listSpans(): Program<readonly Span[]> {
  return query<Span>(`select ${spanFields} from log_spans order by id desc`)
}

/** Ids of blocks, both inclusive. */
export interface BlockRange {
  readonly first: number
  readonly last: number
}

/** Returns the ranges of blocks that no span has. @param spans all of them, newest first */
export function rangesOutside(spans: readonly Span[]): readonly BlockRange[] {
  const ranges: BlockRange[] = []
  let last = Number.MAX_SAFE_INTEGER
  for (const span of spans) {
    if (span.last_block < last) ranges.push({ first: span.last_block + 1, last })
    last = span.id - 1
  }
  if (last > 0) ranges.push({ first: 1, last })
  return ranges
}

/** Blocks with these bits, oldest first. */
export function* blocksIn({ id, last_block }: Span, mask: BlockMask): Generator<number> {
  for (let block = id; block <= last_block; block += 1) if ((mask >>> (block - id)) & 1) yield block
}

/** A condition in SQL for any number of blocks. @param ids in ascending order */
export function isOneOfBlocks(column: string, ids: readonly number[]): string {
  const [first, last] = [ids[0] ?? 0, ids.at(-1) ?? -1]
  return last - first + 1 === ids.length
    ? `${column} >= ${first} and ${column} <= ${last}`
    : `${column} in (${ids.join(', ')})`
}
