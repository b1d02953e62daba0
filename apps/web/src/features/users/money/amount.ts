import type { MoneyDisplay } from '../../../lib/format/format.ts'
import { currencyToQuota } from '../../../lib/format/money.ts'

/** What is offered to be added: $25, or as many points. */
const presetAmount = 25

export function presetQuota({ quotaPerUnit }: MoneyDisplay): number {
  return Math.round(presetAmount * quotaPerUnit)
}

/** The preset as it is typed: currency where money is shown in currency, points where it is not. */
export function presetTyped(display: MoneyDisplay): number {
  return display.inCurrency ? presetAmount : presetQuota(display)
}

/** What was typed in quota units; `undefined` when it is no amount. */
export function typedQuota(amount: number | undefined, display: MoneyDisplay): number | undefined {
  if (amount === undefined) return undefined
  return display.inCurrency ? currencyToQuota(amount, display) : amount
}
