const headerBytes = 8

/** Whole numbers as their smallest, followed by each one's distance from it in as few bytes as all of them need. */
export function packNumbers(values: Float64Array): Uint8Array {
  const least = values.reduce((found, value) => Math.min(found, value), Number.POSITIVE_INFINITY)
  const most = values.reduce((found, value) => Math.max(found, value), Number.NEGATIVE_INFINITY)
  const distances = distanceArray(most - least).from(values.map((value) => value - least))
  const packed = new Uint8Array(headerBytes + distances.byteLength)
  packed.set(new Uint8Array(Float64Array.of(least).buffer))
  packed.set(new Uint8Array(distances.buffer), headerBytes)
  return packed
}

/** @param count how many numbers were packed, which tells their width */
export function unpackNumbers(packed: Uint8Array, count: number): Float64Array {
  const bytes = new Uint8Array(packed)
  const [least = 0] = new Float64Array(bytes.buffer, 0, 1)
  const width = (bytes.byteLength - headerBytes) / count
  const values = new Float64Array(new (arrayOf(width))(bytes.buffer, headerBytes))
  for (let index = 0; index < values.length; index += 1) values[index] = least + (values[index] ?? 0)
  return values
}

function distanceArray(range: number) {
  if (range <= 0xffff) return Uint16Array
  return range <= 0xffffffff ? Uint32Array : Float64Array
}

function arrayOf(width: number) {
  if (width === 2) return Uint16Array
  return width === 4 ? Uint32Array : Float64Array
}
