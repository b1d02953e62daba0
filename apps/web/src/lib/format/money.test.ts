import { describe, expect, it } from 'bun:test'
import { currencyToQuota, product, quotient } from './money.ts'
import { defaultMoneyDisplay } from './money-display.ts'

describe('sums of money', () => {
  it('are what they are on paper', () => {
    expect(0.1 * 3).not.toBe(0.3)
    expect(product(0.1, 3)).toBe(0.3)
    expect(product(1_000_000, 0.07, 1.1)).toBe(77_000)
    expect(quotient(0.3, 0.1)).toBe(3)
    expect(quotient(2.5, 2)).toBe(1.25)
  })

  it('become whole quota units', () => {
    expect(currencyToQuota(1.5, defaultMoneyDisplay)).toBe(750_000)
    expect(currencyToQuota(1.005, { quotaPerUnit: 100, inCurrency: true })).toBe(101)
    expect(currencyToQuota(-0.000001, defaultMoneyDisplay)).toBe(-1)
    expect(currencyToQuota(1e300, defaultMoneyDisplay)).toBeUndefined()
    expect(currencyToQuota(Number.NaN, defaultMoneyDisplay)).toBeUndefined()
  })
})
