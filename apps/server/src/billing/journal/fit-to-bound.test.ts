import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { chargeOf } from '../test-support/charges.ts'
import { createEntryWriter, maxEntryBytes } from './entry.ts'
import { fitToBound, isStorable } from './fit-to-bound.ts'
import { encodeSettlement, settlementOf } from './settlement-text.ts'

const longText = fc.string({ unit: 'binary', maxLength: 3000, size: 'max' })

describe('fitToBound', () => {
  it('brings every settlement under the bound and leaves money, accounts and counts alone', () => {
    const texts = fc.record({
      username: longText,
      tokenName: longText,
      model: longText,
      group: longText,
      content: longText,
      requestId: longText,
      other: longText,
    })
    const writer = createEntryWriter()
    fc.assert(
      fc.property(texts, (change) => {
        const settlement = settlementOf(
          Number.MAX_SAFE_INTEGER,
          chargeOf({ ...change, quota: 9_007_199_254_740_991 }),
        )
        const fitted = fitToBound(settlement)
        expect(writer.draft(encodeSettlement(fitted))).toBe(true)
        expect(writer.length).toBeLessThanOrEqual(maxEntryBytes)
        expect(isStorable(fitted, encodeSettlement(fitted))).toBe(true)
        const { seq, quota, userId, tokenId, channelId, promptTokens, completionTokens, logged } = settlement
        expect(fitted).toMatchObject({
          seq,
          quota,
          userId,
          tokenId,
          channelId,
          promptTokens,
          completionTokens,
          logged,
        })
      }),
      { numRuns: 200 },
    )
  })

  it('changes nothing that fits', () => {
    const settlement = settlementOf(7, chargeOf({ other: '{"note":"\\\\u0000"}' }))
    expect(fitToBound(settlement)).toEqual(settlement)
  })

  it('takes NUL out, which PostgreSQL would refuse for ever', () => {
    const settlement = settlementOf(7, chargeOf({ tokenName: 'a\u0000b', other: '{}\u0000' }))
    expect(isStorable(settlement, encodeSettlement(settlement))).toBe(false)
    expect(fitToBound(settlement)).toMatchObject({ tokenName: 'ab', other: '{}' })
  })

  it('keeps the figures that explain the charge when the story of the attempts is too long', () => {
    const attempts = Array.from({ length: 100 }, (_, channel) => ({
      channel,
      ms: 5,
      status: 500,
      kind: 'overloaded',
    }))
    const other = JSON.stringify({
      model_ratio: 1.25,
      model_price: -1,
      claude: true,
      admin_info: { attempts },
    })
    const fitted = fitToBound(settlementOf(7, chargeOf({ other })))
    expect(JSON.parse(fitted.other)).toEqual({ model_ratio: 1.25, model_price: -1, claude: true })
  })
})
