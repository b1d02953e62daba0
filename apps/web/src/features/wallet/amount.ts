import type { TopUpInfo } from '@tollgate/api'
import { product } from '../../lib/format/money.ts'
import type { TopUpChoice } from './api.ts'

/** Values of the top-up form, as typed. */
export interface TopUpForm {
  /** Amount in the unit that the installation shows money in; `undefined`: empty, or no whole number. */
  readonly amount: number | undefined
  readonly method: string
}

type AmountRules = Pick<TopUpInfo, 'min_amount' | 'display_in_currency' | 'quota_per_unit'>

/** Returns the least whole amount that may be bought, and never nothing. */
export function minAmount({ min_amount }: Pick<AmountRules, 'min_amount'>): number {
  return Math.max(1, Math.ceil(min_amount))
}

/** The typed amount; `undefined` for an invalid or too small one. */
export function choiceOf({ amount, method }: TopUpForm, rules: AmountRules): TopUpChoice | undefined {
  return amount === undefined || amount < minAmount(rules) ? undefined : { amount, method }
}

/** The quota that an amount buys. */
export function quotaOf(amount: number, { display_in_currency, quota_per_unit }: AmountRules): number {
  return display_in_currency ? Math.round(product(amount, quota_per_unit)) : amount
}
