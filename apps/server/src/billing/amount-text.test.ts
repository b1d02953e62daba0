import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { amountText, comparedTexts } from './amount-text.ts'

it('says an amount in currency, or in quota units where the operator shows those', () => {
  const visible = { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 }
  expect([8000, 0, 750_000, -250_000, 1].map((quota) => amountText(quota, visible))).toEqual([
    '$0.016',
    '$0.00',
    '$1.50',
    '-$0.50',
    '$0.000002',
  ])
  expect(amountText(8000, { ...visible, DisplayInCurrencyEnabled: false })).toBe('8000 quota units')
})

describe('comparedTexts', () => {
  const display = { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 }

  it('says each amount as amountText does, where that tells them apart', () => {
    expect(comparedTexts(36, 40_000, display)).toEqual({ smaller: '$0.000072', larger: '$0.080' })
    expect(comparedTexts(0, 33, display)).toEqual({ smaller: '$0.00', larger: '$0.000066' })
    expect(comparedTexts(500_000, 500_001, display)).toEqual({ smaller: '$1.000000', larger: '$1.000002' })
  })

  it('says the smaller amount as the smaller one, whatever the amounts and the unit are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000, max: 2_000_000_000 }),
        fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1_000_000_000 })),
        fc.constantFrom(1, 1000, 500_000, 7_300_000, 1_000_000_000),
        fc.boolean(),
        (smaller, difference, QuotaPerUnit, DisplayInCurrencyEnabled) => {
          const visible = { DisplayInCurrencyEnabled, QuotaPerUnit }
          const texts = comparedTexts(smaller, smaller + difference, visible)
          const amount = (text: string) => Number.parseFloat(text.replace('$', ''))
          expect(amount(texts.smaller)).toBeLessThan(amount(texts.larger))
        },
      ),
      { numRuns: 2000 },
    )
  })
})
