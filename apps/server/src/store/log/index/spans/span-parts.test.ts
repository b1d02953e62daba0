import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { type Dimension, dimensions } from '../dimensions.ts'
import {
  encodeEntries,
  encodeRequests,
  entryPart,
  findEntry,
  findRequest,
  jointFamilies,
  jointPart,
  partsPerSpan,
  requestPart,
} from './span-parts.ts'
import { blocksIn, isOneOfBlocks, rangesOutside, type Span } from './spans.ts'

const span = (id: number, last_block: number): Span => ({
  id,
  last_block,
  count: 0,
  calls: 0,
  charged: 0,
  min_at: 0,
  max_at: 0,
})

const uint32 = fc.integer({ min: 0, max: 0xffffffff })

describe('parts of a span', () => {
  it('give back what they tell of each value, and nothing of others', () => {
    const entry = fc.record({ count: uint32, calls: uint32, charged: fc.maxSafeNat(), mask: uint32 })
    const entries = fc.uniqueArray(fc.tuple(fc.maxSafeNat(), entry), { selector: ([value]) => value })
    fc.assert(
      fc.property(entries, fc.maxSafeNat(), (known, other) => {
        const part = encodeEntries(known)
        for (const [value, reported] of known) expect(findEntry(part, value)).toEqual(reported)
        if (!known.some(([value]) => value === other)) expect(findEntry(part, other)).toBeUndefined()
      }),
    )
  })

  it('have numbers of their own, within those of their span', () => {
    const values = Array.from({ length: 1024 }, (_, value) => value)
    const names = Object.keys(dimensions) as Dimension[]
    const kinds = [
      ...names.map((name) => values.map((value) => entryPart(name, value))),
      ...jointFamilies.map((family) => values.map((value) => jointPart(family, value))),
      values.map(requestPart),
    ].map((numbers) => new Set(numbers))
    const all = kinds.flatMap((numbers) => [...numbers])
    expect(new Set(all).size).toBe(all.length)
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...all)).toBeLessThan(partsPerSpan)
  })

  it('name every block that has a request', () => {
    const requests = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 31 })))
    fc.assert(
      fc.property(requests, (known) => {
        const mask = known.reduce((bits, [hash, position]) => (hash === 3 ? bits | (1 << position) : bits), 0)
        expect(findRequest(encodeRequests(known), 3)).toBe(mask >>> 0)
      }),
    )
  })
})

describe('spans', () => {
  it('leave the blocks before, between and behind them', () => {
    const behind = { first: 97, last: Number.MAX_SAFE_INTEGER }
    expect(rangesOutside([])).toEqual([{ first: 1, last: Number.MAX_SAFE_INTEGER }])
    expect(rangesOutside([span(65, 96), span(33, 64), span(1, 32)])).toEqual([behind])
    expect(rangesOutside([span(65, 96), span(40, 50)])).toEqual([
      behind,
      { first: 51, last: 64 },
      { first: 1, last: 39 },
    ])
  })

  it('name their blocks by bits', () => {
    expect([...blocksIn(span(33, 64), 0x80000005)]).toEqual([33, 35, 64])
    expect([...blocksIn(span(33, 34), 0xffffffff)]).toEqual([33, 34])
  })

  it('select blocks by a range where that is the same', () => {
    expect(isOneOfBlocks('id', [4, 5, 6])).toBe('id >= 4 and id <= 6')
    expect(isOneOfBlocks('id', [4, 6])).toBe('id in (4, 6)')
    expect(isOneOfBlocks('id', [])).toBe('id >= 0 and id <= -1')
  })
})
