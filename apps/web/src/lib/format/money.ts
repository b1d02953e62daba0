import { decimalOf, divide, multiply, numberOf, roundToInteger } from '@tollgate/base/decimal'
import type { MoneyDisplay } from './money-display.ts'

/** Decimals of a quotient: more than any price or ratio has. */
const quotientDecimals = 15

/** Ratios and prices multiplied as people write them: 0.1 × 3 is 0.3, without the digits that binary fractions add. */
export function product(...factors: readonly number[]): number {
  return numberOf(multiply(...factors.map(decimalOf)))
}

/** One price or ratio divided by another, not zero. */
export function quotient(dividend: number, divisor: number): number {
  return numberOf(divide(decimalOf(dividend), decimalOf(divisor), quotientDecimals))
}

/** Currency typed by a person to whole quota units, half a unit away from zero; `undefined` when it is not an amount. */
export function currencyToQuota(amount: number, display: MoneyDisplay): number | undefined {
  if (!Number.isFinite(amount)) return undefined
  const quota = roundToInteger(multiply(decimalOf(amount), decimalOf(display.quotaPerUnit)), 'half-away')
  return Number.isSafeInteger(quota) ? quota : undefined
}
