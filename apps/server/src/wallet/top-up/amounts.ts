import type { SettingValues } from '@tollgate/api/settings'
import { type Decimal, decimalOf, divideRounded, multiply } from '@tollgate/base/decimal'
import { Refusal } from '../../lib/refusal.ts'
import type { Quota } from '../../store/units.ts'

/** Price of one unit of balance by a method, before the group's ratio. */
export interface UnitPrice {
  readonly price: number
  /** Decimals of the currency's smallest unit. */
  readonly decimals: number
}

/** Above any real payment, and so far below the largest safe integer that balances stay exact. */
const largestQuota = 10n ** 15n
/** Largest sum in smallest units that Stripe accepts; the other providers get the same limit. */
const largestMoney = 99_999_999n

export type AmountSettings = Pick<
  SettingValues,
  'DisplayInCurrencyEnabled' | 'QuotaPerUnit' | 'MinTopUp' | 'TopupGroupRatio'
>

/** The quota and price of an amount, both exact. */
export interface Priced {
  /** Credited when it is paid. */
  readonly quota: Quota
  /** Amount to pay, in the smallest unit of the method's currency. */
  readonly moneyMinor: number
}

/**
 * Prices an amount: units of balance where money is shown in currency, points of quota where it is not. What is credited
 * is exactly what is paid for. Refuses amounts below the minimum, and those that are too small or too large to be paid.
 */
export function priceAmount(
  settings: AmountSettings,
  amount: number,
  group: string,
  method: UnitPrice,
): Priced {
  const min = minAmount(settings)
  if (amount < min) throw new Refusal('top_up_amount_low', { min })
  const quota = quotaOf(settings, amount)
  const money = moneyOf(settings, amount, group, method)
  if (quota > largestQuota || money > largestMoney) throw new Refusal('top_up_amount_high')
  if (money < 1n) throw new Refusal('top_up_payable_low')
  return { quota: Number(quota), moneyMinor: Number(money) }
}

/** Least amount, in the unit of amounts. */
export function minAmount({ DisplayInCurrencyEnabled, MinTopUp, QuotaPerUnit }: AmountSettings): number {
  if (DisplayInCurrencyEnabled) return MinTopUp
  return Number(roundToInteger(multiply(decimalOf(MinTopUp), decimalOf(QuotaPerUnit)), 'up'))
}

/** A group without a ratio, or with 0, pays the plain price: a top-up must cost something. */
export function topUpRatio({ TopupGroupRatio }: AmountSettings, group: string): number {
  return TopupGroupRatio[group] || 1
}

/** Decimal text, such as `7.30`. */
export function moneyText(minor: number, decimals: number): string {
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Parses a decimal text into smallest units; `undefined` when it is not an amount, or has fractions of the smallest unit. */
export function minorOf(text: string, decimals: number): number | undefined {
  const parts = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text.trim())
  if (parts === null) return undefined
  const [, integerPart = '', fraction = ''] = parts
  if (/[1-9]/.test(fraction.slice(decimals))) return undefined
  const minor = Number(integerPart + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return Number.isSafeInteger(minor) ? minor : undefined
}

function quotaOf({ DisplayInCurrencyEnabled, QuotaPerUnit }: AmountSettings, amount: number): bigint {
  if (!DisplayInCurrencyEnabled) return BigInt(amount)
  return roundToInteger(multiply(decimalOf(amount), decimalOf(QuotaPerUnit)), 'half-away')
}

function moneyOf(
  settings: AmountSettings,
  amount: number,
  group: string,
  { price, decimals }: UnitPrice,
): bigint {
  const ratio = topUpRatio(settings, group)
  const perUnit = settings.DisplayInCurrencyEnabled ? decimalOf(1) : decimalOf(settings.QuotaPerUnit)
  const total = multiply(decimalOf(amount), decimalOf(price), decimalOf(ratio))
  const dividend = total.digits * 10n ** BigInt(decimals + perUnit.scale)
  return divideRounded(dividend, perUnit.digits * 10n ** BigInt(total.scale), 'half-away')
}

function roundToInteger({ digits, scale }: Decimal, rounding: 'half-away' | 'up'): bigint {
  return divideRounded(digits, 10n ** BigInt(scale), rounding)
}
