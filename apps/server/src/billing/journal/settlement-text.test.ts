import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { chargeOf } from '../test-support/charges.ts'
import { decodeSettlement, encodeSettlement, settlementOf } from './settlement-text.ts'

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
        const settlement = settlementOf(seq, chargeOf(change))
        expect(decodeSettlement(encodeSettlement(settlement))).toEqual(settlement)
      }),
    )
  })

  it('begins with a line of JSON, as a reader of the journal expects', () => {
    const [line = ''] = encodeSettlement(settlementOf(7, chargeOf({ model: 'a "b"\n\ud800' }))).split('\n')
    expect(JSON.parse(line)).toContain('a "b"\n\ud800')
    expect(line).toContain(JSON.stringify('a "b"\n\ud800'))
  })
})
