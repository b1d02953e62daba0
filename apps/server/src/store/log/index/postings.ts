import {
  addStoredPositions,
  type Bitmap,
  eachStoredPosition,
  type Range,
  storedLength,
  storePositions,
} from './bitmap.ts'
import { type Dimension, postingPart } from './dimensions.ts'

/**
 * The positions of each value of a dimension in a block, in parts (see dimensions.ts). A part is the number of its
 * values, then for each the value, its number of rows and where its positions end, then the positions of all.
 * @param values the dimension's value of every row: whole and not negative
 * @returns the parts by their number
 */
export function encodePostings(dimension: Dimension, values: Float64Array): ReadonlyMap<number, Uint8Array> {
  return encodeSorted(dimension, sortedWithPositions(values), values.length)
}

/** A value that the row at a position has. */
export type ValuePosition = readonly [value: number, position: number]

/** The same for a dimension of which a row has any number of values. @param size rows of the block */
export function encodeSparse(
  dimension: Dimension,
  values: readonly ValuePosition[],
  size: number,
): ReadonlyMap<number, Uint8Array> {
  const sorted = Float64Array.from(values, ([value, position]) => value * positionBits + position).sort()
  return encodeSorted(dimension, sorted, size)
}

function encodeSorted(
  dimension: Dimension,
  sorted: Float64Array,
  size: number,
): ReadonlyMap<number, Uint8Array> {
  const { runs, positions } = groupByValue(sorted)
  const byPart = new Map<number, Run[]>()
  for (const run of runs) {
    const part = postingPart(dimension, run.value)
    const ofPart = byPart.get(part)
    if (ofPart === undefined) byPart.set(part, [run])
    else ofPart.push(run)
  }
  return new Map(Array.from(byPart, ([part, ofPart]) => [part, encodePart(ofPart, positions, size)]))
}

/** The positions of one value in a block. */
export interface Posting {
  readonly count: number
  /** Adds its positions. */
  addTo(words: Bitmap): void
}

/** The part's postings of the given values; `size` is the number of rows in the block. */
export function findPostings(part: Uint8Array, values: readonly number[], size: number): Posting[] {
  const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
  const length = view.getUint32(0, true)
  const positionsAt = headerBytes + length * bytesPerValue
  return values.flatMap((value) => {
    const index = indexOfValue(view, length, value, bytesPerValue)
    if (index < 0) return []
    const count = view.getUint32(entryAt(index) + 8, true)
    const start = positionsAt + (index === 0 ? 0 : view.getUint32(entryAt(index - 1) + 12, true))
    return [{ count, addTo: (words) => addStoredPositions(words, view, start, count, size) }]
  })
}

/** Calls `callback` with every value of a part, its number of rows, and a walk over their positions. */
export function eachPosting(
  part: Uint8Array,
  size: number,
  callback: (value: number, count: number, positions: (each: (position: number) => void) => void) => void,
): void {
  const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
  const length = view.getUint32(0, true)
  let start = headerBytes + length * bytesPerValue
  for (let index = 0; index < length; index += 1) {
    const count = view.getUint32(entryAt(index) + 8, true)
    const from = start
    callback(view.getFloat64(entryAt(index), true), count, (each) =>
      eachStoredPosition(view, from, count, size, each),
    )
    start += storedLength(count, size)
  }
}

/**
 * Finds the index of a value among `length` in ascending order, each at the start of `bytes` behind a header; -1 for an absent one.
 */
export function indexOfValue(view: DataView, length: number, wanted: number, bytes: number): number {
  let low = 0
  let high = length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const value = view.getFloat64(headerBytes + middle * bytes, true)
    if (value === wanted) return middle
    if (value < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}

const entryAt = (index: number) => headerBytes + index * bytesPerValue

/** Rows with one value: a range of the positions. */
interface Run extends Range {
  readonly value: number
}

const positionBits = 2 ** 16

/** @param sorted values with their positions: rows with the same value stand together, in their order */
function groupByValue(sorted: Float64Array): { runs: Run[]; positions: Uint16Array } {
  const positions = new Uint16Array(sorted.length)
  const runs: Run[] = []
  let value = -1
  let start = 0
  for (let index = 0; index < sorted.length; index += 1) {
    const both = sorted[index] ?? 0
    const next = Math.floor(both / positionBits)
    positions[index] = both - next * positionBits
    if (next === value) continue
    if (index > 0) runs.push({ value, start, end: index })
    value = next
    start = index
  }
  if (sorted.length > 0) runs.push({ value, start, end: sorted.length })
  return { runs, positions }
}

/** Value and position as one number. */
function sortedWithPositions(values: Float64Array): Float64Array {
  const both = new Float64Array(values.length)
  let isSorted = true
  let former = -1
  for (let position = 0; position < values.length; position += 1) {
    const value = values[position] ?? 0
    both[position] = value * positionBits + position
    if (value < former) isSorted = false
    former = value
  }
  return isSorted ? both : both.sort()
}

const headerBytes = 4
const bytesPerValue = 16

function encodePart(runs: readonly Run[], positions: Uint16Array, size: number): Uint8Array {
  const positionsAt = headerBytes + runs.length * bytesPerValue
  let length = positionsAt
  for (const { start, end } of runs) length += storedLength(end - start, size)
  const part = new Uint8Array(length)
  const view = new DataView(part.buffer)
  view.setUint32(0, runs.length, true)
  let at = headerBytes
  let positionsEnd = positionsAt
  for (const run of runs) {
    positionsEnd += storePositions(positions, run, size, part, positionsEnd)
    view.setFloat64(at, run.value, true)
    view.setUint32(at + 8, run.end - run.start, true)
    view.setUint32(at + 12, positionsEnd - positionsAt, true)
    at += bytesPerValue
  }
  return part
}
