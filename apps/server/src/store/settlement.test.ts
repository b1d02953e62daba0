import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { settlement } from './contract/samples.ts'
import { decodeSettlements, encodePayload, encodeSettlements } from './settlement.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', '\0', '\ud800', '😀'),
)
const count = fc.nat()
const change = fc.record({
  kind: fc.constantFrom('consumption' as const, 'error' as const),
  createdAt: count,
  username: text,
  tokenName: text,
  model: text,
  group: text,
  content: text,
  requestId: text,
  other: text,
  quota: fc.maxSafeNat(),
  cost: fc.option(fc.maxSafeNat(), { nil: undefined }),
  promptTokens: count,
  completionTokens: count,
  useTimeSeconds: count,
  isStream: fc.boolean(),
  logged: fc.boolean(),
})

/** Returns a text in the form that every database accepts. */
const storable = (value: string) => Buffer.from(value).toString().replaceAll('\0', '\ufffd')

describe('settlements as bytes', () => {
  it('are read back unchanged, in their order, with texts that every database accepts', () => {
    const written = fc.array(fc.tuple(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), change))
    fc.assert(
      fc.property(written, (entries) => {
        const settlements = entries.map(([seq, changed]) => settlement(seq, changed))
        const expected = settlements.map((one) =>
          Object.fromEntries(
            Object.entries(one).map(([name, value]) => [
              name,
              typeof value === 'string' ? storable(value) : value,
            ]),
          ),
        )
        expect(decodeSettlements(encodeSettlements(settlements))).toEqual(expected as never)
      }),
    )
  })

  it('begin with a line of JSON, as a reader of the journal expects', () => {
    const [line = ''] = encodePayload(settlement(7, { model: 'a "b"\n\ud800' })).split('\n')
    expect(JSON.parse(line)).toContain('a "b"\n\ud800')
  })

  it('are read as programs wrote them that knew no cost', () => {
    const old = settlement(1, {})
    const bytes = encodeSettlements([{ ...old, cost: 12 }])
    const [line = '', other = ''] = encodePayload({ ...old, cost: 12 }).split('\n')
    expect(decodeSettlements(bytes)[0]?.cost).toBe(12)
    // The cost is the last field of the line: without it the line is what those programs wrote.
    expect(encodePayload(old)).toBe(`${JSON.stringify(JSON.parse(line).slice(0, -1))}\n${other}`)
    expect(decodeSettlements(encodeSettlements([old]))[0]?.cost).toBeUndefined()
  })

  it('have counts in the range of their columns', () => {
    const counts = { promptTokens: 2.7, completionTokens: -1, useTimeSeconds: Number.POSITIVE_INFINITY }
    expect(decodeSettlements(encodeSettlements([settlement(1, counts)]))).toMatchObject([
      { promptTokens: 2, completionTokens: 0, useTimeSeconds: 2_147_483_647 },
    ])
  })

  it('may be an empty list', () => {
    expect(decodeSettlements(encodeSettlements([]))).toEqual([])
  })
})
