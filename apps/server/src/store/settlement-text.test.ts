import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { settlement } from './contract/samples.ts'
import { decodeSettlement, encodeSettlement } from './settlement-text.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', '\0', '\ud800', '😀'),
)
const count = fc.nat()

describe('a settlement as text', () => {
  it('is read back as it was, whatever its names hold', () => {
    const charge = fc.record({
      createdAt: count,
      username: text,
      tokenName: text,
      model: text,
      group: text,
      content: text,
      requestId: text,
      other: text,
      quota: count,
      promptTokens: count,
      completionTokens: count,
      useTimeSeconds: count,
      isStream: fc.boolean(),
      logged: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1 }), charge, (seq, change) => {
        const written = settlement(seq, change)
        expect(decodeSettlement(encodeSettlement(seq, written))).toEqual(written)
      }),
    )
  })

  it('begins with a line of JSON, as a reader of the journal expects', () => {
    const [line = ''] = encodeSettlement(7, settlement(7, { model: 'a "b"\n\ud800' })).split('\n')
    expect(JSON.parse(line)).toContain('a "b"\n\ud800')
    expect(line).toContain(JSON.stringify('a "b"\n\ud800'))
  })

  it('brings counts into the range of their columns', () => {
    const counts = { promptTokens: 2.7, completionTokens: -1, useTimeSeconds: Number.POSITIVE_INFINITY }
    expect(decodeSettlement(encodeSettlement(1, settlement(1, counts)))).toMatchObject({
      promptTokens: 2,
      completionTokens: 0,
      useTimeSeconds: 2_147_483_647,
    })
  })
})
