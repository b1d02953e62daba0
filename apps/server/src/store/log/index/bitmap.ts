/** A set of positions within a block of log rows, 32 to the word. */
export type Bitmap = Uint32Array

/** Positions are stored in 16 bits. */
export const largestBlock = 65_536

const wordsFor = (size: number) => (size + 31) >>> 5

export function noPosition(size: number): Bitmap {
  return new Uint32Array(wordsFor(size))
}

export function everyPosition(size: number): Bitmap {
  const words = noPosition(size).fill(0xffffffff)
  const rest = size & 31
  if (rest !== 0) words[words.length - 1] = 2 ** rest - 1
  return words
}

/** Few positions are stored as a list, many as the words, and every one as no bytes at all. */
const isList = (count: number, size: number) => count * 2 < wordsFor(size) * 4

/** Stored size of `count` positions, in bytes. */
export function storedLength(count: number, size: number): number {
  if (count === size) return 0
  return isList(count, size) ? count * 2 : wordsFor(size) * 4
}

/** A part of a list. */
export interface Range {
  readonly start: number
  readonly end: number
}

/**
 * Stores a part of the positions in a block of `size` rows into zeroed bytes, from `at`: they need space for
 * `storedLength` bytes. Returns how many bytes it wrote.
 */
export function storePositions(
  positions: Uint16Array,
  range: Range,
  size: number,
  into: Uint8Array,
  at: number,
): number {
  const count = range.end - range.start
  if (count === size) return 0
  if (isList(count, size)) storeList(positions, range, into, at)
  else storeWords(positions, range, into, at)
  return storedLength(count, size)
}

function storeList(positions: Uint16Array, { start, end }: Range, into: Uint8Array, at: number): void {
  let byte = at
  for (let index = start; index < end; index += 1) {
    const position = positions[index] ?? 0
    into[byte] = position
    into[byte + 1] = position >>> 8
    byte += 2
  }
}

function storeWords(positions: Uint16Array, { start, end }: Range, into: Uint8Array, at: number): void {
  for (let index = start; index < end; index += 1) {
    const position = positions[index] ?? 0
    const byte = at + (position >>> 3)
    into[byte] = (into[byte] ?? 0) | (1 << (position & 7))
  }
}

/** Adds to `words` the `count` positions of a block of `size` rows that are stored in `view` from `start`. */
export function addStoredPositions(
  words: Bitmap,
  view: DataView,
  start: number,
  count: number,
  size: number,
): void {
  if (count === size) words.set(everyPosition(size))
  else if (isList(count, size))
    for (let index = 0; index < count; index += 1) addPosition(words, view.getUint16(start + index * 2, true))
  else
    for (let word = 0; word < words.length; word += 1)
      words[word] = (words[word] ?? 0) | view.getUint32(start + word * 4, true)
}

/** Calls `callback` with every position that is stored in `view` from `start`, in order. */
export function eachStoredPosition(
  view: DataView,
  start: number,
  count: number,
  size: number,
  callback: (position: number) => void,
): void {
  if (count === size || !isList(count, size)) {
    const words = noPosition(size)
    addStoredPositions(words, view, start, count, size)
    eachPosition(words, callback)
  } else for (let index = 0; index < count; index += 1) callback(view.getUint16(start + index * 2, true))
}

export function addPosition(words: Bitmap, position: number): void {
  const word = position >>> 5
  words[word] = (words[word] ?? 0) | (1 << (position & 31))
}

/** Intersects `into` with the other set. */
export function intersect(into: Bitmap, other: Bitmap): void {
  for (let word = 0; word < into.length; word += 1) into[word] = (into[word] ?? 0) & (other[word] ?? 0)
}

export function countPositions(words: Bitmap): number {
  let count = 0
  for (let word = 0; word < words.length; word += 1) count += bitsIn(words[word] ?? 0)
  return count
}

/** Calls `callback` with every position, in order. */
export function eachPosition(words: Bitmap, callback: (position: number) => void): void {
  for (let word = 0; word < words.length; word += 1)
    for (let rest = words[word] ?? 0; rest !== 0; rest &= rest - 1)
      callback(word * 32 + 31 - Math.clz32(rest & -rest))
}

/** Counts bits in pairs, then nibbles, then bytes, all at once. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
