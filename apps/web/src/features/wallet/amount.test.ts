import { describe, expect, it } from 'bun:test'
import { choiceOf, minAmount, quotaOf } from './amount.ts'

const rules = { min_amount: 5, display_in_currency: true, quota_per_unit: 500_000 }

describe('an amount to top up', () => {
  it('is at least the minimum, and at least one', () => {
    expect(minAmount({ min_amount: 0 })).toBe(1)
    expect(minAmount({ min_amount: 2.5 })).toBe(3)
    for (const amount of [undefined, -1, 0, 4])
      expect(choiceOf({ amount, method: 'zfb' }, rules)).toBeUndefined()
    expect(choiceOf({ amount: 5, method: 'zfb' }, rules)).toEqual({ amount: 5, method: 'zfb' })
  })

  it('buys units of currency, or points where no currency is shown', () => {
    expect(quotaOf(10, rules)).toBe(5_000_000)
    expect(quotaOf(10, { ...rules, display_in_currency: false })).toBe(10)
  })
})
