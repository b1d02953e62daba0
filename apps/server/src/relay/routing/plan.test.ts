import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { ChannelSnapshot, Tier } from '../../channels/routing/routing-types.ts'
import { routedChannel, tier } from '../../channels/test-support/routed-channel.ts'
import { plan } from './plan.ts'

function snapshotOf(tiers: readonly Tier[]): ChannelSnapshot {
  return {
    tiers: (group, model) => (group === 'default' && model === 'm' ? tiers : undefined),
    channel: () => undefined,
    modelsOf: () => [],
    knowsModel: () => true,
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
          expect(named.toSorted((a, b) => a - b)).toEqual(Array.from({ length: id }, (_, place) => place + 1))
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

  it('answers undefined when the group cannot reach the model', () => {
    expect(plan('other', 'default', snapshotOf([]), seeded(1))).toBeUndefined()
  })
})
