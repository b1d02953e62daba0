import { expect, it } from 'bun:test'
import { amountText } from './amount-text.ts'

it('says an amount in currency, or in quota units where the operator shows those', () => {
  const shown = { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 }
  expect([8000, 0, 750_000, -250_000, 1].map((quota) => amountText(quota, shown))).toEqual([
    '$0.016',
    '$0.00',
    '$1.50',
    '-$0.50',
    '$0.000002',
  ])
  expect(amountText(8000, { ...shown, DisplayInCurrencyEnabled: false })).toBe('8000 quota units')
})
