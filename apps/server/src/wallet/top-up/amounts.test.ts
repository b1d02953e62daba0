import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { Refusal } from '../../lib/refusal.ts'
import { type AmountSettings, minAmount, minorOf, moneyText, priceAmount } from './amounts.ts'

const inCurrency: AmountSettings = {
  DisplayInCurrencyEnabled: true,
  QuotaPerUnit: 500_000,
  MinTopUp: 1,
  TopupGroupRatio: { default: 1, vip: 0.9, free: 0 },
}
const inPoints: AmountSettings = { ...inCurrency, DisplayInCurrencyEnabled: false }
const yuan = { price: 7.3, decimals: 2 }

function refusalOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof Refusal) return `${error.code} ${JSON.stringify(error.details)}`
    throw error
  }
  return 'none'
}

describe('the price of an amount', () => {
  it.each([
    [inCurrency, 10, 'default', 5_000_000, 7300],
    [inCurrency, 10, 'vip', 5_000_000, 6570],
    [inCurrency, 1, 'unknown', 500_000, 730],
    [inCurrency, 1, 'free', 500_000, 730],
    // 1.5 units are paid, and 1.5 units are credited.
    [inPoints, 750_000, 'default', 750_000, 1095],
    [inPoints, 500_001, 'default', 500_001, 730],
    [{ ...inCurrency, QuotaPerUnit: 1.5 }, 3, 'default', 5, 2190],
  ] as const)('%p %p for %p', (settings, amount, group, quota, moneyMinor) => {
    expect(priceAmount(settings, amount, group, yuan)).toEqual({ quota, moneyMinor })
  })

  it('has no binary fractions in it', () => {
    const price = (amount: number, by: number) =>
      priceAmount(inCurrency, amount, 'default', { price: by, decimals: 2 }).moneyMinor
    expect(price(3, 1.005)).toBe(302)
    expect(price(1, 1.115)).toBe(112)
    expect(price(100, 0.57)).toBe(5700)
    expect(priceAmount(inCurrency, 12, 'default', { price: 150, decimals: 0 }).moneyMinor).toBe(1800)
  })

  it('refuses what is below the minimum, in the unit that is shown', () => {
    expect(refusalOf(() => priceAmount({ ...inCurrency, MinTopUp: 5 }, 4, 'default', yuan))).toBe(
      'top_up_amount_low {"min":5}',
    )
    expect(refusalOf(() => priceAmount(inPoints, 499_999, 'default', yuan))).toBe(
      'top_up_amount_low {"min":500000}',
    )
    for (const amount of [0, -1, Number.MIN_SAFE_INTEGER])
      expect(refusalOf(() => priceAmount(inCurrency, amount, 'default', yuan))).toStartWith(
        'top_up_amount_low',
      )
    expect(minAmount({ ...inPoints, QuotaPerUnit: 1.5, MinTopUp: 3 })).toBe(5)
  })

  it('refuses what cannot be paid', () => {
    const cheap = { price: 0.01, decimals: 2 }
    const ratio = { ...inCurrency, TopupGroupRatio: { default: 0.1 } }
    expect(refusalOf(() => priceAmount(ratio, 1, 'default', cheap))).toBe('top_up_payable_low {}')
    expect(refusalOf(() => priceAmount(inCurrency, 10 ** 12, 'default', yuan))).toBe('top_up_amount_high {}')
    expect(refusalOf(() => priceAmount(inPoints, Number.MAX_SAFE_INTEGER, 'default', yuan))).toBe(
      'top_up_amount_high {}',
    )
  })

  it('rounds by at most half of the smallest unit', () => {
    const amount = fc.integer({ min: 500_000, max: 10 ** 10 })
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 999 }), (points, cents) => {
        const price = cents / 100
        const exact = (points / 500_000) * price * 100
        if (exact < 1 || exact > 99_999_999) return
        const { quota, moneyMinor } = priceAmount(inPoints, points, 'default', { price, decimals: 2 })
        expect(quota).toBe(points)
        expect(Math.abs(moneyMinor - exact)).toBeLessThanOrEqual(0.5001)
      }),
    )
  })
})

describe('money as text', () => {
  it('is written with the decimals of its currency', () => {
    expect([5, 73, 730, 123_456].map((minor) => moneyText(minor, 2))).toEqual([
      '0.05',
      '0.73',
      '7.30',
      '1234.56',
    ])
    expect(moneyText(1800, 0)).toBe('1800')
  })

  it('is read exactly, or not at all', () => {
    const read = ['7.30', '7.3', '7', '7.3000', ' 7.30 ', '0.07', '007.30']
    expect(read.map((text) => minorOf(text, 2))).toEqual([730, 730, 700, 730, 730, 7, 730])
    for (const text of ['', '7.301', '-7.30', '7,30', '7.30.0', '1e3', 'NaN', '７.30', '9'.repeat(20), '.5'])
      expect(minorOf(text, 2)).toBeUndefined()
    fc.assert(
      fc.property(fc.nat(10 ** 9), (minor) => {
        expect(minorOf(moneyText(minor, 2), 2)).toBe(minor)
        expect(minorOf(moneyText(minor, 0), 0)).toBe(minor)
      }),
    )
  })
})
