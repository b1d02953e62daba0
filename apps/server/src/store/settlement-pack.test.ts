import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { settlement } from './contract/samples.ts'
import {
  PackWriter,
  packSettlements,
  settlementsByPack,
  settlementsIn,
  splitPack,
} from './settlement-pack.ts'

const calls = (count: number, other = '{"frt":12}') =>
  Array.from({ length: count }, (_, index) => settlement(index + 1, { other, model: `模型-${index}` }))

describe('packs of settlements', () => {
  it('hold what was put in, in its order, over as many packs as it takes', () => {
    const settlements = calls(500, JSON.stringify({ note: 'é'.repeat(900) }))
    const packs = packSettlements(settlements)
    expect(packs.length).toBeGreaterThan(1)
    expect([...settlementsByPack(packs)].flat()).toEqual(settlements)
    expect(packSettlements([])).toEqual([])
  })

  it('take a text that is larger than a pack', () => {
    const settlements = calls(3, 'x'.repeat(400_000))
    expect(packSettlements(settlements).flatMap(settlementsIn)).toEqual(settlements)
  })

  it('can be split anywhere', () => {
    const settlements = calls(9)
    const [pack = new Uint8Array()] = packSettlements(settlements)
    for (let count = 0; count <= 9; count += 1) {
      const [first, others] = splitPack(pack, count)
      expect(settlementsIn(first)).toEqual(settlements.slice(0, count))
      expect(settlementsIn(others)).toEqual(settlements.slice(count))
    }
  })

  it('stay as they are when the writer goes on', () => {
    const writer = new PackWriter()
    writer.add('[1]\nfirst')
    const pack = writer.take()
    const copy = pack.slice()
    writer.add('[2]\nsecond')
    expect(pack).toEqual(copy)
    expect(writer.count).toBe(1)
  })

  it('give back texts that every database takes, and no other text changed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (model, other) => {
        const [read] = packSettlements([settlement(1, { model, other })]).flatMap(settlementsIn)
        const storable = (text: string) => Buffer.from(text).toString().replaceAll('\0', '\ufffd')
        expect(read).toEqual(settlement(1, { model: storable(model), other: storable(other) }))
      }),
    )
  })
})
