import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import {
  addPosition,
  addStoredPositions,
  type Bitmap,
  countPositions,
  eachPosition,
  everyPosition,
  intersect,
  noPosition,
  storedLength,
  storePositions,
} from './bitmap.ts'

/** A block's size and some of its positions, in order. */
const positionsInBlock = fc.integer({ min: 1, max: 3000 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    positions: fc
      .uniqueArray(fc.nat({ max: size - 1 }), { maxLength: size })
      .map((found) => Uint16Array.from(found).sort()),
  }),
)

function bitmapOf(positions: Uint16Array, size: number): Bitmap {
  const words = noPosition(size)
  for (const position of positions) addPosition(words, position)
  return words
}

function positionsIn(words: Bitmap): number[] {
  const found: number[] = []
  eachPosition(words, (position) => found.push(position))
  return found
}

describe('positions in a block', () => {
  it('come back as they were stored, however many', () => {
    fc.assert(
      fc.property(positionsInBlock, ({ size, positions }) => {
        const stored = new Uint8Array(3 + storedLength(positions.length, size))
        const all = { start: 0, end: positions.length }
        expect(storePositions(positions, all, size, stored, 3)).toBe(stored.length - 3)
        const words = noPosition(size)
        addStoredPositions(words, new DataView(stored.buffer), 3, positions.length, size)
        expect(positionsIn(words)).toEqual([...positions])
        expect(countPositions(words)).toBe(positions.length)
      }),
    )
  })

  it('take no space for every row, and never more than a bit per row', () => {
    expect(storedLength(8192, 8192)).toBe(0)
    expect(storedLength(1, 8192)).toBe(2)
    expect(storedLength(8191, 8192)).toBe(1024)
  })

  it('intersect', () => {
    fc.assert(
      fc.property(positionsInBlock, fc.infiniteStream(fc.boolean()), ({ size, positions }, coin) => {
        const retained = positions.filter(() => coin.next().value === true)
        const words = bitmapOf(positions, size)
        intersect(words, bitmapOf(retained, size))
        expect(positionsIn(words)).toEqual([...retained])
      }),
    )
  })

  it('cover every row up to the size, and none beyond', () => {
    for (const size of [1, 31, 32, 33, 8192]) expect(countPositions(everyPosition(size))).toBe(size)
  })
})
