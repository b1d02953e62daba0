import { describe, expect, it } from 'bun:test'
import { routedChannel } from '../test-support/routed-channel.ts'
import { buildSnapshot } from './channel-snapshot.ts'
import type { RoutedChannel, Tier } from './routing-types.ts'

const channel = (id: number, fields: Partial<RoutedChannel> = {}) => routedChannel({ id, ...fields })

function idsOf(tiers: readonly Tier[] | undefined): number[][] | undefined {
  return tiers?.map((tier) => tier.channels.map(({ id }) => id))
}

/** Counts the draws of each channel, in evenly spread draws. */
function drawn(tier: Tier | undefined, draws: number): number[] {
  const counts = (tier?.channels ?? []).map(() => 0)
  for (let index = 0; index < draws; index += 1) {
    const position = tier?.picker.draw((index + 0.5) / draws) ?? 0
    counts[position] = (counts[position] ?? 0) + 1
  }
  return counts
}

const unserved = { id: 9, models: new Set(['unserved']) }

describe('buildSnapshot', () => {
  it('gives the tiers of a group and model from the highest priority down, in a stable order', () => {
    const snapshot = buildSnapshot(
      [channel(3), channel(1, { priority: 5 }), channel(2), channel(4, { priority: -999 })],
      [],
    )
    expect(idsOf(snapshot.tiers('default', 'm'))).toEqual([[1], [2, 3], [4]])
    expect(snapshot.tiers('default', 'other')).toBeUndefined()
    expect(snapshot.tiers('vip', 'm')).toBeUndefined()
  })

  it('routes nothing to a channel that is disabled or has no key left', () => {
    const out = { reason: '', at: 0 }
    const snapshot = buildSnapshot(
      [
        channel(1, { status: 'disabled' }),
        channel(2, { status: 'auto-disabled' }),
        channel(3, { keys: ['a', 'b'], disabledKeys: new Map([[0, out]]) }),
        channel(4, { disabledKeys: new Map([[0, out]]) }),
        channel(5, { keys: [] }),
      ],
      [],
    )
    expect(idsOf(snapshot.tiers('default', 'm'))).toEqual([[3]])
    expect(snapshot.channel(1)?.status).toBe('disabled')
  })

  it('finds a channel by each of its groups and models', () => {
    const snapshot = buildSnapshot([channel(1, { groups: ['a', 'b'], models: new Set(['y', 'x']) })], [])
    for (const group of ['a', 'b']) {
      for (const model of ['x', 'y']) expect(idsOf(snapshot.tiers(group, model))).toEqual([[1]])
    }
    expect(snapshot.modelsOf('a')).toEqual(['x', 'y'])
    expect(snapshot.modelsOf('nobody')).toEqual([])
  })

  it('finds the channels that list a model by part of its name, served or not', () => {
    const snapshot = buildSnapshot([channel(1), channel(2, { models: new Set(['GPT-4o']) })], [unserved])
    const found = (part: string) => [...snapshot.listing(part)]
    expect([found('gpt'), found('SERVED'), found('%')]).toEqual([[2], [9], []])
  })

  it('knows a model that only a disabled or unserved channel lists', () => {
    const snapshot = buildSnapshot([channel(1, { status: 'disabled' })], [unserved])
    expect([snapshot.knowsModel('m'), snapshot.knowsModel('unserved'), snapshot.knowsModel('?')]).toEqual([
      true,
      true,
      false,
    ])
    const lists = ['default', 'elsewhere'].map((group) => snapshot.lists(group, 'm'))
    expect([...lists, snapshot.lists('elsewhere', 'unserved')]).toEqual([true, false, true])
    expect(['m', 'unserved', '?'].map(snapshot.nameOf)).toEqual(['m', 'unserved', '?'])
  })

  it('finds members of a family by its pattern', () => {
    const snapshot = buildSnapshot([channel(1, { models: new Set(['gpt-4-gizmo-*', 'gpt-4o-gizmo-*']) })], [])
    expect(idsOf(snapshot.tiers('default', 'gpt-4-gizmo-g-abc'))).toEqual([[1]])
    expect(idsOf(snapshot.tiers('default', 'gpt-4o-gizmo-g-abc'))).toEqual([[1]])
    expect(snapshot.knowsModel('gpt-4-gizmo-g-abc')).toBe(true)
    expect(snapshot.tiers('default', 'gpt-4')).toBeUndefined()
  })

  it('gives every channel the same share when none has a weight', () => {
    const [tier] = buildSnapshot([channel(1), channel(2), channel(3)], []).tiers('default', 'm') ?? []
    expect(drawn(tier, 30)).toEqual([10, 10, 10])
  })

  it('never draws a channel of weight 0 beside one with weight, and has it left when the others failed', () => {
    const [tier] =
      buildSnapshot([channel(1, { weight: 0 }), channel(2, { weight: 10 })], []).tiers('default', 'm') ?? []
    expect(drawn(tier, 30)).toEqual([0, 30])
  })

  it('draws channels exactly as often as their weights say', () => {
    const weights = [3, 0, 1, 20, -5, 6]
    const channels = weights.map((weight, index) => channel(index + 1, { weight }))
    const [tier] = buildSnapshot(channels, []).tiers('default', 'm') ?? []
    expect(drawn(tier, 30 * 6)).toEqual([18, 0, 6, 120, 0, 36])
  })

  it('builds the tiers of a model once, among however many channels', () => {
    const models = Array.from({ length: 50 }, (_, index) => `model-${index}`)
    const channels = Array.from({ length: 1000 }, (_, index) =>
      channel(index + 1, { models: new Set(models) }),
    )
    const snapshot = buildSnapshot(channels, [])
    const tiers = snapshot.tiers('default', 'model-7')
    expect(tiers?.[0]?.channels).toHaveLength(1000)
    expect(snapshot.tiers('default', 'model-7')).toBe(tiers)
  })

  it('looks through no channel for a refused call to a model that it refused before', () => {
    let looks = 0
    class CountedNames extends Set<string> {
      override has(name: string): boolean {
        looks += 1
        return super.has(name)
      }
    }
    const ofOthers = (id: number) => channel(id, { groups: ['vip'], models: new CountedNames(['m']) })
    const channels = Array.from({ length: 1000 }, (_, index) => ofOthers(index + 2))
    const snapshot = buildSnapshot([channel(1, { models: new CountedNames(['own']) }), ...channels], [])
    const refuse = () => [
      snapshot.tiers('default', 'm'),
      snapshot.knowsModel('m'),
      snapshot.lists('default', 'm'),
    ]
    expect(refuse()).toEqual([undefined, true, false])
    expect(looks).toBeGreaterThanOrEqual(1000)
    looks = 0
    expect([refuse(), snapshot.tiers('vip', 'own')]).toEqual([[undefined, true, false], undefined])
    // The group that has a thousand channels asks for `own` the first time.
    expect(looks).toBe(1000)
    looks = 0
    for (let call = 0; call < 100; call += 1) {
      refuse()
      snapshot.tiers('vip', 'own')
      snapshot.knowsModel(`made-up-${call}`)
    }
    expect(looks).toBe(0)
  })
})
