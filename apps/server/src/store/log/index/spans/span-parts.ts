import { type Dimension, dimensions } from '../dimensions.ts'
import { indexOfValue } from '../postings.ts'
import type { BlockMask } from './spans.ts'

/** Sums of one value in a span. */
export interface SpanEntry {
  readonly count: number
  /** Consumption rows, and their quota; of a type, all of its rows. */
  readonly calls: number
  readonly charged: number
  readonly mask: BlockMask
}

/** Parts that the values of a dimension are spread over: a filter reads one of each span. Never change: they are stored. */
const buckets: Readonly<Record<Dimension, number>> = {
  type: 1,
  user: 256,
  channel: 4,
  token: 256,
  model: 4,
  group: 1,
  key: 256,
  failover: 1,
}

const maxBuckets = 256
const firstRequestPart = 7 * maxBuckets

/** Parts of a span have the ids from its own × `partsPerSpan`. */
export const partsPerSpan = 8 * maxBuckets

/** One of those that types leave free: they have one part, and combinations by user lie behind it. Never change. */
const failoverPartNumber = 1

export function entryPart(dimension: Dimension, value: number): number {
  if (dimension === 'failover') return failoverPartNumber
  return dimensions[dimension] * maxBuckets + (value % buckets[dimension])
}

export function requestPart(hash: number): number {
  return firstRequestPart + (hash % maxBuckets)
}

/**
 * Sums of combinations: by user with all other dimensions, by key name with channel, model, type and group, and so on. Their parts lie
 * behind those of a dimension with few values. Never change: they are stored.
 */
const jointRanges = {
  user: { behind: 'type', buckets: 250 },
  token: { behind: 'channel', buckets: 250 },
  channel: { behind: 'model', buckets: 64 },
  model: { behind: 'group', buckets: 4 },
} as const satisfies Partial<Record<Dimension, { readonly behind: Dimension; readonly buckets: number }>>
/** Family of combinations, by the dimension that their parts are spread by. */
export type JointFamily = keyof typeof jointRanges
/** Families, those with more dimensions first. */
export const jointFamilies: readonly JointFamily[] = ['user', 'token', 'channel', 'model']

const firstJoint = 4

/** Returns the part that has the combinations with a value. */
export function jointPart(family: JointFamily, value: number): number {
  const { behind, buckets } = jointRanges[family]
  return dimensions[behind] * maxBuckets + firstJoint + (value % buckets)
}

const headerBytes = 4
const bytesPerEntry = 28

/** Entries of one part, in any order. */
export function encodeEntries(entries: readonly (readonly [value: number, entry: SpanEntry])[]): Uint8Array {
  const part = new Uint8Array(headerBytes + entries.length * bytesPerEntry)
  const view = new DataView(part.buffer)
  view.setUint32(0, entries.length, true)
  let at = headerBytes
  for (const [value, { count, calls, charged, mask }] of entries.toSorted(([a], [b]) => a - b)) {
    view.setFloat64(at, value, true)
    view.setFloat64(at + 8, charged, true)
    view.setUint32(at + 16, count, true)
    view.setUint32(at + 20, calls, true)
    view.setUint32(at + 24, mask, true)
    at += bytesPerEntry
  }
  return part
}

export function findEntry(part: Uint8Array, value: number): SpanEntry | undefined {
  const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
  const index = indexOfValue(view, view.getUint32(0, true), value, bytesPerEntry)
  if (index < 0) return undefined
  const at = headerBytes + index * bytesPerEntry
  return {
    charged: view.getFloat64(at + 8, true),
    count: view.getUint32(at + 16, true),
    calls: view.getUint32(at + 20, true),
    mask: view.getUint32(at + 24, true),
  }
}

const bytesPerRequest = 5

/** Hashes of requests with the place of their block in the span, of one part, in any order. */
export function encodeRequests(requests: readonly (readonly [hash: number, position: number])[]): Uint8Array {
  const part = new Uint8Array(requests.length * bytesPerRequest)
  const view = new DataView(part.buffer)
  let at = 0
  for (const [hash, position] of requests) {
    view.setUint32(at, hash, true)
    view.setUint8(at + 4, position)
    at += bytesPerRequest
  }
  return part
}

/** Blocks that may have a request with this hash. A part is short: it is read from end to end. */
export function findRequest(part: Uint8Array, hash: number): BlockMask {
  const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
  let mask = 0
  for (let at = 0; at < part.byteLength; at += bytesPerRequest)
    if (view.getUint32(at, true) === hash) mask |= 1 << view.getUint8(at + 4)
  return mask >>> 0
}
