/**
 * Sets of positions within a block of log rows: 32 positions per word while they are worked with; stored as a list of
 * 16-bit positions when there are few, as the words when there are many, and as nothing at all when it is every one.
 */
export type Bitmap = Uint32Array<ArrayBuffer>

/** Positions are stored in 16 bits. */
export const largestBlock = 65_536

const wordsFor = (size: number) => (size + 31) >>> 5

/** Whether a set of `count` among `size` positions is stored as a list. */
const isList = (count: number, size: number) => count * 2 < wordsFor(size) * 4

/** Bytes that `count` positions take when they are stored. */
export function storedLength(count: number, size: number): number {
  if (count === size) return 0
  return isList(count, size) ? count * 2 : wordsFor(size) * 4
}

/** Stores positions into the beginning of `into`, which is `storedLength` long. */
export function storePositions(positions: Uint16Array, size: number, into: Uint8Array): void {
  const { length } = positions
  if (length === size) return
  for (let index = 0; index < length; index += 1) {
    const position = positions[index] ?? 0
    if (isList(length, size)) {
      into[index * 2] = position
      into[index * 2 + 1] = position >>> 8
    } else {
      into[position >>> 3] = (into[position >>> 3] ?? 0) | (1 << (position & 7))
    }
  }
}

/** @param count how many positions were stored, which tells the form */
export function decodePositions(stored: Uint8Array, count: number, size: number): Bitmap {
  if (count === size) return everyPosition(size)
  // A copy starts at an aligned offset; what a driver hands out may not.
  const bytes = new Uint8Array(stored)
  if (!isList(count, size)) return new Uint32Array(bytes.buffer)
  const words: Bitmap = new Uint32Array(wordsFor(size))
  for (const position of new Uint16Array(bytes.buffer)) addPosition(words, position)
  return words
}

export function everyPosition(size: number): Bitmap {
  const words: Bitmap = new Uint32Array(wordsFor(size)).fill(0xffffffff)
  const rest = size & 31
  if (rest !== 0) words[words.length - 1] = 2 ** rest - 1
  return words
}

export function positionsBetween(values: Float64Array, from: number, to: number): Bitmap {
  const words: Bitmap = new Uint32Array(wordsFor(values.length))
  for (let position = 0; position < values.length; position += 1) {
    const value = values[position] ?? 0
    if (value >= from && value <= to) addPosition(words, position)
  }
  return words
}

/** Keeps in `into` what is in both. */
export function intersect(into: Bitmap, other: Bitmap): void {
  for (let word = 0; word < into.length; word += 1) into[word] = (into[word] ?? 0) & (other[word] ?? 0)
}

/** Adds to `into` what is in `other`. */
export function unite(into: Bitmap, other: Bitmap): void {
  for (let word = 0; word < into.length; word += 1) into[word] = (into[word] ?? 0) | (other[word] ?? 0)
}

export function countPositions(words: Bitmap): number {
  let count = 0
  for (let word = 0; word < words.length; word += 1) count += bitsIn(words[word] ?? 0)
  return count
}

export function positionsOf(words: Bitmap): number[] {
  const positions: number[] = []
  for (let word = 0; word < words.length; word += 1)
    for (let rest = words[word] ?? 0; rest !== 0; rest &= rest - 1)
      positions.push(word * 32 + 31 - Math.clz32(rest & -rest))
  return positions
}

export function sumAt(words: Bitmap, values: Float64Array): number {
  let sum = 0
  for (let word = 0; word < words.length; word += 1)
    for (let rest = words[word] ?? 0; rest !== 0; rest &= rest - 1)
      sum += values[word * 32 + 31 - Math.clz32(rest & -rest)] ?? 0
  return sum
}

function addPosition(words: Bitmap, position: number): void {
  const word = position >>> 5
  words[word] = (words[word] ?? 0) | (1 << (position & 31))
}

/** Counts bits in pairs, then nibbles, then bytes, all at once. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
