import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { eachPosition, noPosition } from './bitmap.ts'
import { postingPart } from './dimensions.ts'
import { packNumbers, readPackedNumbers } from './packed-numbers.ts'
import { encodePostings, findPostings } from './postings.ts'

const values = fc.array(fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 200 }), fc.constant(5_000_000_000)), {
  minLength: 1,
  maxLength: 600,
})

describe('postings', () => {
  it('have the positions of each value, and of no other', () => {
    fc.assert(
      fc.property(values, (rows) => {
        const parts = encodePostings('user', Float64Array.from(rows))
        for (const value of new Set([...rows, 201])) {
          const part = parts.get(postingPart('user', value))
          const found = part === undefined ? [] : findPostings(part, [value], rows.length)
          const words = noPosition(rows.length)
          for (const posting of found) posting.addTo(words)
          const positions: number[] = []
          eachPosition(words, (position) => positions.push(position))
          expect(positions).toEqual(rows.flatMap((row, position) => (row === value ? [position] : [])))
          expect(found.reduce((sum, posting) => sum + posting.count, 0)).toBe(positions.length)
        }
      }),
    )
  })

  it('can be read at any byte offset', () => {
    const [part = new Uint8Array()] = encodePostings('type', Float64Array.of(2, 3, 2)).values()
    const shifted = new Uint8Array(part.length + 1)
    shifted.set(part, 1)
    expect(findPostings(shifted.subarray(1), [2], 3).map((posting) => posting.count)).toEqual([2])
  })
})

describe('packed numbers', () => {
  it('come back as they were, whatever their range', () => {
    const small = fc.integer({ min: -100, max: 100 })
    const numbers = fc.oneof(
      fc.array(small, { minLength: 1 }),
      fc.array(fc.oneof(small, fc.constant(70_000)), { minLength: 1 }),
      fc.array(fc.oneof(small, fc.maxSafeInteger()), { minLength: 1 }),
    )
    fc.assert(
      fc.property(numbers, (provided) => {
        const read = readPackedNumbers(packNumbers(Float64Array.from(provided)), provided.length)
        expect(provided.map((_, index) => read(index))).toEqual(provided)
      }),
    )
  })
})
