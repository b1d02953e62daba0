import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { encodePayload } from '../../store/settlement.ts'
import { chargeOf } from '../test-support/charges.ts'
import { EntryWriter, maxEntryBytes } from './entry.ts'
import { maxPayloadBytes, truncateCall } from './truncate-call.ts'

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
    const writer = new EntryWriter()
    fc.assert(
      fc.property(texts, (change) => {
        const charge = chargeOf({ ...change, quota: 9_007_199_254_740_991 })
        const fitted = truncateCall(charge)
        expect(Buffer.byteLength(encodePayload(fitted))).toBeLessThanOrEqual(maxPayloadBytes)
        writer.draft(Number.MAX_SAFE_INTEGER, charge)
        expect(writer.length).toBeLessThanOrEqual(maxEntryBytes)
        const { quota, userId, tokenId, channelId, promptTokens, completionTokens, logged } = charge
        expect(fitted).toMatchObject({
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
    const charge = chargeOf({ other: '{"note":"\\\\u0000"}' })
    expect(truncateCall(charge)).toEqual(charge)
  })

  it('preserves the figures that explain the charge when the list of attempts is too long', () => {
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
    const fitted = truncateCall(chargeOf({ other }))
    expect(JSON.parse(fitted.other)).toEqual({ model_ratio: 1.25, model_price: -1, claude: true })
  })
})
