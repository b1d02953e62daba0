import { type Bitmap, decodePositions, storedLength, storePositions } from './bitmap.ts'
import { type Dimension, postingPart } from './dimensions.ts'

/**
 * Where each value of a dimension stands in a block, in parts (see dimensions.ts). A part is three arrays, one item per
 * value (the value, how many rows have it, where its positions end), followed by the positions of all.
 * @param values the dimension's value of every row: whole and not negative
 * @returns the parts by their number
 */
export function encodePostings(dimension: Dimension, values: Float64Array): ReadonlyMap<number, Uint8Array> {
  const { runs, positions } = groupByValue(values)
  const byPart = new Map<number, Run[]>()
  for (const run of runs) {
    const part = postingPart(dimension, run.value)
    const ofPart = byPart.get(part)
    if (ofPart === undefined) byPart.set(part, [run])
    else ofPart.push(run)
  }
  return new Map(Array.from(byPart, ([part, ofPart]) => [part, encodePart(ofPart, positions)]))
}

/** Where one value stands in a block. */
export interface Posting {
  readonly count: number
  bits(): Bitmap
}

/** What a part knows of the given values; `size` is the number of rows in the block. */
export function findPostings(part: Uint8Array, wanted: readonly number[], size: number): Posting[] {
  const { values, counts, ends, positions } = readPart(part)
  return wanted.flatMap((value) => {
    const index = values.indexOf(value)
    if (index < 0) return []
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0)
    const count = counts[index] ?? 0
    return [{ count, bits: () => decodePositions(positions.subarray(start, ends[index]), count, size) }]
  })
}

/** Rows with one value: a range of the positions. */
interface Run {
  readonly value: number
  readonly start: number
  readonly end: number
}

const positionBits = 2 ** 16

/** Sorts value and position as one number: rows with the same value come to stand together, in their order. */
function groupByValue(values: Float64Array): { runs: Run[]; positions: Uint16Array } {
  const sorted = values.map((value, position) => value * positionBits + position).sort()
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
  runs.push({ value, start, end: sorted.length })
  return { runs, positions }
}

const headerBytes = 8
const bytesPerValue = 16

function encodePart(runs: readonly Run[], all: Uint16Array): Uint8Array {
  const size = all.length
  const lengthOf = ({ start, end }: Run) => storedLength(end - start, size)
  const bytes = new Uint8Array(
    runs.reduce((sum, run) => sum + lengthOf(run), headerBytes + runs.length * bytesPerValue),
  )
  new Uint32Array(bytes.buffer, 0, 1)[0] = runs.length
  const { values, counts, ends, positions } = readPart(bytes)
  let written = 0
  for (const [index, run] of runs.entries()) {
    values[index] = run.value
    counts[index] = run.end - run.start
    storePositions(all.subarray(run.start, run.end), size, positions.subarray(written))
    written += lengthOf(run)
    ends[index] = written
  }
  return bytes
}

function readPart(part: Uint8Array) {
  // Arrays of numbers need an aligned start; what a driver hands out may have none.
  const { buffer, byteOffset } = part.byteOffset % 8 === 0 ? part : new Uint8Array(part)
  const [length = 0] = new Uint32Array(buffer, byteOffset, 1)
  const valuesAt = byteOffset + headerBytes
  const countsAt = valuesAt + length * 8
  const endsAt = countsAt + length * 4
  return {
    values: new Float64Array(buffer, valuesAt, length),
    counts: new Uint32Array(buffer, countsAt, length),
    ends: new Uint32Array(buffer, endsAt, length),
    positions: new Uint8Array(buffer, endsAt + length * 4, part.byteLength - headerBytes - length * bytesPerValue),
  }
}
