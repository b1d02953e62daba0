const headerBytes = 8

/** Whole numbers as a base, followed by each one's distance from it in the fewest bytes that fit all of them. */
export function packNumbers(values: Float64Array): Uint8Array {
  const { min, max } = rangeOf(values)
  const range = max - min
  // Distances that would be rounded are taken from zero: the numbers themselves.
  const base = Number.isSafeInteger(range) ? min : 0
  const distances = new (distanceArray(range))(values.length)
  for (let index = 0; index < values.length; index += 1) distances[index] = (values[index] ?? 0) - base
  const packed = new Uint8Array(headerBytes + distances.byteLength)
  packed.set(new Uint8Array(Float64Array.of(base).buffer))
  packed.set(new Uint8Array(distances.buffer), headerBytes)
  return packed
}

/** The least and the greatest of them. */
export function rangeOf(values: Float64Array): { min: number; max: number } {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return { min, max }
}

/**
 * Reads packed numbers in place.
 * @param count how many were packed, which determines their width
 * @returns the number at an index
 */
export function readPackedNumbers(packed: Uint8Array, count: number): (index: number) => number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const base = view.getFloat64(0, true)
  const width = (packed.byteLength - headerBytes) / count
  if (width === 2) return (index) => base + view.getUint16(headerBytes + index * 2, true)
  if (width === 4) return (index) => base + view.getUint32(headerBytes + index * 4, true)
  return (index) => base + view.getFloat64(headerBytes + index * 8, true)
}

function distanceArray(range: number) {
  if (range <= 0xffff) return Uint16Array
  return range <= 0xffffffff ? Uint32Array : Float64Array
}
