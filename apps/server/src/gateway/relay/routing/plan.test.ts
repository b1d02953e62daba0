import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { ChannelSnapshot, Tier } from '../../../channels/routing/routing-types.ts'
import { routedChannel, tier } from '../../../channels/test-support/routed-channel.ts'
import { AffinityOrder, plan } from './plan.ts'

function snapshotOf(tiers: readonly Tier[]): ChannelSnapshot {
  return {
    tiers: (group, model) => (group === 'default' && model === 'm' ? tiers : undefined),
    channel: () => undefined,
    modelsOf: () => [],
    knowsModel: () => true,
    lists: () => true,
    nameOf: (model) => model,
    channels: [],
    listing: () => new Set<number>(),
  }
}

/** A repeatable source of randomness. */
function seeded(seed: number): () => number {
  let state = seed || 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function ids(snapshot: ChannelSnapshot, random: () => number): number[] {
  const found: number[] = []
  const walk = plan('m', 'default', snapshot, random)
  for (let channel = walk?.next(); channel !== undefined; channel = walk?.next()) found.push(channel.id)
  return found
}

describe('plan', () => {
  it('names every channel exactly once, whatever the weights and the luck', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(20), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
        fc.integer(),
        (weights, seed) => {
          let id = 0
          const tiers = weights.map((row, index) =>
            tier(
              -index,
              row.map((weight) => [routedChannel({ id: ++id }), weight] as const),
            ),
          )
          const named = ids(snapshotOf(tiers), seeded(seed))
          expect(named.toSorted((a, b) => a - b)).toEqual(Array.from({ length: id }, (_, index) => index + 1))
        },
      ),
    )
  })

  it('exhausts a tier before it goes down to the next priority', () => {
    const tiers = [
      tier(5, [
        [routedChannel({ id: 1 }), 1],
        [routedChannel({ id: 2 }), 1],
      ]),
      tier(0, [[routedChannel({ id: 3 }), 100]]),
    ]
    for (let seed = 1; seed < 50; seed += 1) expect(ids(snapshotOf(tiers), seeded(seed)).at(-1)).toBe(3)
  })

  it('draws first choices in proportion to weight', () => {
    const snapshot = snapshotOf([
      tier(0, [
        [routedChannel({ id: 1 }), 30],
        [routedChannel({ id: 2 }), 10],
      ]),
    ])
    const random = seeded(7)
    let first = 0
    for (let round = 0; round < 4000; round += 1) {
      if (plan('m', 'default', snapshot, random)?.next()?.id === 1) first += 1
    }
    expect(first / 4000).toBeGreaterThan(0.72)
    expect(first / 4000).toBeLessThan(0.78)
  })

  it('returns undefined when the group cannot reach the model', () => {
    expect(plan('other', 'default', snapshotOf([]), seeded(1))).toBeUndefined()
  })
})

type Weighted = readonly (readonly [id: number, weight: number])[]

function order(seed: number, ...tiers: readonly Weighted[]): number[] {
  const made = tiers.map((row, index) =>
    tier(
      -index,
      row.map(([id, weight]) => [routedChannel({ id, weight }), weight] as const),
    ),
  )
  const walk = new AffinityOrder({ model: 'm', group: 'default' }, made, { by: 'session_id', seed })
  const ids: number[] = []
  for (let channel = walk.next(); channel !== undefined; channel = walk.next()) ids.push(channel.id)
  return ids
}

const seeds = Array.from({ length: 4000 }, (_, index) => Math.imul(index, 0x9e3779b1) >>> 0)
const firstOf = (seed: number, row: Weighted) => order(seed, row)[0]
const four: Weighted = [1, 2, 3, 4].map((id) => [id, 0] as const)

function shares(row: Weighted): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const seed of seeds) {
    const id = firstOf(seed, row) ?? 0
    counts[id] = (counts[id] ?? 0) + 1
  }
  return Object.fromEntries(Object.entries(counts).map(([id, count]) => [id, count / seeds.length]))
}

describe('channels for a session', () => {
  it('are named once each, in the same order every time, the higher priority first', () => {
    for (const seed of seeds.slice(0, 50)) {
      const named = order(seed, four, [[9, 1]])
      expect(named.toSorted()).toEqual([1, 2, 3, 4, 9])
      expect(named.at(-1)).toBe(9)
      expect(order(seed, four, [[9, 1]])).toEqual(named)
    }
  })

  it('share sessions by their weights', () => {
    for (const share of Object.values(shares(four))) expect(share).toBeCloseTo(0.25, 1)
    const weighted = shares([
      [1, 30],
      [2, 10],
      [3, 0],
    ])
    expect(weighted[1]).toBeCloseTo(0.75, 1)
    expect(weighted[3]).toBeUndefined()
  })

  it('come and go without moving the sessions of others', () => {
    const withoutThird = four.filter(([id]) => id !== 3)
    for (const seed of seeds) {
      const before = firstOf(seed, four)
      const after = firstOf(seed, withoutThird)
      if (before === 3) expect(after).toBe(order(seed, four)[1])
      else expect(after).toBe(before)
    }
  })

  it('keep what they have when the weight of another grows, but for what that one wins', () => {
    const heavier: Weighted = four.map(([id]) => [id, id === 2 ? 30 : 10] as const)
    const even: Weighted = four.map(([id]) => [id, 10] as const)
    for (const seed of seeds) {
      const after = firstOf(seed, heavier)
      if (after !== 2) expect(after).toBe(firstOf(seed, even))
    }
  })
})
