import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { ConsistentHash, type WeightedNode } from './consistent-hash.ts'

/** Places of any ids and weights; spares and negative weights among them. */
const somePositions = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 1, max: 1_000_000 }), weight: fc.integer({ min: -1, max: 300 }) }),
  { minLength: 1, maxLength: 40, selector: ({ id }) => id },
)
const someSeed = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const seeds = Array.from({ length: 20_000 }, (_, index) => Math.imul(index, 0x9e3779b1) >>> 0)

const orderOf = (positions: readonly WeightedNode[], seed: number) =>
  [...new ConsistentHash(positions).all(seed)].map((index) => positions[index]?.id)

/** Returns the share of all seeds that each node gets first. */
function sharesOf(positions: readonly WeightedNode[]): number[] {
  const rings = new ConsistentHash(positions)
  const counts = positions.map(() => 0)
  for (const seed of seeds) {
    const own = rings.first(seed) ?? -1
    counts[own] = (counts[own] ?? 0) + 1
  }
  return counts.map((count) => count / seeds.length)
}

describe('HashRings', () => {
  it('names every place once, the own one first, spares last', () => {
    fc.assert(
      fc.property(somePositions, someSeed, (positions, seed) => {
        const rings = new ConsistentHash(positions)
        const named = [...rings.all(seed)]
        expect(named.toSorted((a, b) => a - b)).toEqual([...positions.keys()])
        expect(named[0]).toBe(rings.first(seed) ?? -1)
        const isSpare = named.map((index) => (positions[index]?.weight ?? 0) <= 0)
        expect(isSpare).toEqual(isSpare.toSorted((a, b) => Number(a) - Number(b)))
      }),
    )
  })

  it('leaves the order of the others as it is when a place goes', () => {
    fc.assert(
      fc.property(somePositions, someSeed, fc.nat(), (positions, seed, which) => {
        const gone = positions[which % positions.length]
        // When the last place with a weight goes, the spares get seeds of their own, still in the same order.
        const rest = positions.filter((position) => position !== gone)
        expect(orderOf(rest, seed)).toEqual(orderOf(positions, seed).filter((id) => id !== gone?.id))
      }),
    )
  })

  it('moves seeds to or from a place alone when its weight changes', () => {
    const weight = fc.integer({ min: 1, max: 300 })
    fc.assert(
      fc.property(
        somePositions,
        someSeed,
        fc.nat(),
        weight,
        weight,
        (positions, seed, which, before, after) => {
          const changed = positions[which % positions.length]?.id
          const weighing = (weight: number) =>
            orderOf(
              positions.map((position) => (position.id === changed ? { ...position, weight } : position)),
              seed,
            )
          const [was, is] = [weighing(before)[0], weighing(after)[0]]
          if (was !== changed && is !== changed) expect(is).toBe(was)
        },
      ),
    )
  })

  it('gives places the shares of their weights', () => {
    const weights = [1, 2, 5, 10, 30, 0, 52]
    const shares = sharesOf(weights.map((weight, index) => ({ id: index * 17 + 5, weight })))
    for (const [index, weight] of weights.entries())
      expect(Math.abs((shares[index] ?? 0) - weight / 100)).toBeLessThan(0.03)
    expect(shares[5]).toBe(0)
  })

  it('gives places without weights equal shares, few or many', () => {
    for (const size of [2, 3, 10, 100]) {
      const shares = sharesOf(Array.from({ length: size }, (_, index) => ({ id: index + 1, weight: 0 })))
      for (const share of shares) {
        expect(share * size).toBeGreaterThan(0.6)
        expect(share * size).toBeLessThan(1.5)
      }
    }
  })

  it('caps weights at 31 bits, and returns no place for an empty list', () => {
    const shares = sharesOf([
      { id: 1, weight: Number.MAX_SAFE_INTEGER },
      { id: 2, weight: 1 },
    ])
    expect(shares[0]).toBeGreaterThan(0.99)
    expect(new ConsistentHash([]).first(7)).toBeUndefined()
    expect([...new ConsistentHash([]).all(7)]).toEqual([])
  })
})
