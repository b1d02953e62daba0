/**
 * Filterable fields of log rows: `token` is a key's name, `key` its id; `failover` is what else a call tried (failover.ts).
 * Never renumber: the numbers are stored.
 */
export const dimensions = {
  type: 0,
  user: 1,
  channel: 2,
  token: 3,
  model: 4,
  group: 5,
  key: 6,
  failover: 7,
} as const
export type Dimension = keyof typeof dimensions
/** Dimensions of which every row has one value, in a column of its own. */
export type ColumnDimension = Exclude<Dimension, 'failover'>

/** Dimensions with text values; in postings a text is its id in `log_terms`. */
export const textDimensions = ['token', 'model', 'group'] as const
export type TextDimension = (typeof textDimensions)[number]

export const columnOf: Readonly<Record<ColumnDimension, string>> = {
  type: 'type',
  user: 'user_id',
  channel: 'channel_id',
  token: 'token_name',
  model: 'model',
  group: '"group"',
  key: 'token_id',
}

/**
 * Numbers of every row of a block, stored for queries that postings cannot serve; `request` is a hash. Never renumber.
 */
export const blockColumns = { created_at: 0, quota: 1, tokens: 2, request: 3 } as const
export type BlockColumn = keyof typeof blockColumns

/** The end of the sealed part of the log, if there is one. Later rows are read themselves. */
export const lastSealedId = 'select last_id as id from log_blocks order by id desc limit 1'

/**
 * Postings of a dimension are spread over this many parts of a block: a query for one value reads one of them. Only
 * dimensions with thousands of values in a block need many. Never change: stored postings depend on it.
 */
const buckets: Readonly<Record<Dimension, number>> = {
  type: 1,
  user: 32,
  channel: 4,
  token: 32,
  model: 4,
  group: 1,
  key: 32,
  failover: 1,
}

const maxBuckets = 32

/** Behind the columns. */
const failoverPartNumber = 240

/** Returns the numbers at which the parts of a dimension begin, and end. */
export function partsOf(dimension: Dimension): { readonly first: number; readonly end: number } {
  const first = dimension === 'failover' ? failoverPartNumber : dimensions[dimension] * maxBuckets
  return { first, end: first + buckets[dimension] }
}

/** Parts of block `n` have the ids from `n × partsPerBlock`: first the postings of each dimension, then the columns. */
export const partsPerBlock = 256

const firstColumnPart = 224

/** The part that has a value's posting. */
export function postingPart(dimension: Dimension, value: number): number {
  return partsOf(dimension).first + (value % buckets[dimension])
}

export function columnPart(column: BlockColumn): number {
  return firstColumnPart + blockColumns[column]
}
