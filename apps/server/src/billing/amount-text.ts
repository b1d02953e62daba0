import type { SettingValues } from '@tollgate/api/settings'
import type { Quota } from '../store/units.ts'

/** Decimals at most, where two amounts differ in the last of them: a quota unit may be a millionth of a millionth. */
const maxDecimals = 12
const defaultDecimals = 6

type Display = Pick<SettingValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>

/** An amount in a sentence to a caller: `$0.016` with two digits that count, or quota units where the operator shows those. */
export function amountText(quota: Quota, display: Display): string {
  return textWith(quota, decimalsOf(quota, display), display)
}

/** A smaller and a larger amount in one sentence, with as many decimals as it takes to tell them apart. */
export function comparedTexts(
  smaller: Quota,
  larger: Quota,
  display: Display,
): { readonly smaller: string; readonly larger: string } {
  const textOf = (quota: Quota, decimals: number) =>
    textWith(quota, Math.max(decimals, decimalsOf(quota, display)), display)
  for (let decimals = 2; ; decimals += 1) {
    const texts = { smaller: textOf(smaller, decimals), larger: textOf(larger, decimals) }
    if (decimals === maxDecimals || amountIn(texts.smaller) < amountIn(texts.larger)) return texts
  }
}

function amountIn(text: string): number {
  return Number.parseFloat(text.replace('$', ''))
}

function decimalsOf(quota: Quota, { QuotaPerUnit }: Display): number {
  const amount = Math.abs(quota) / QuotaPerUnit
  return amount === 0 || amount >= 0.1 ? 2 : Math.min(defaultDecimals, 1 - Math.floor(Math.log10(amount)))
}

function textWith(
  quota: Quota,
  decimals: number,
  { DisplayInCurrencyEnabled, QuotaPerUnit }: Display,
): string {
  if (!DisplayInCurrencyEnabled) return `${quota} quota units`
  return `${quota < 0 ? '-' : ''}$${(Math.abs(quota) / QuotaPerUnit).toFixed(decimals)}`
}
