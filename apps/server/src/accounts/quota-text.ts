import type { SettingValues } from '@tollgate/api/settings'
import type { Quota } from '../store/units.ts'

/** Settings by which the console writes balances. */
export type QuotaFormat = Pick<SettingValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>

/** Returns a balance in the format of the console: in dollars with six decimals, or in quota. */
export function quotaText(quota: Quota, { DisplayInCurrencyEnabled, QuotaPerUnit }: QuotaFormat): string {
  if (!DisplayInCurrencyEnabled) return String(quota)
  const amount = (Math.abs(quota) / QuotaPerUnit).toFixed(6)
  return quota < 0 ? `-$${amount}` : `$${amount}`
}

/** Returns a change of a balance by its sign, in dollars without decimals that say nothing. */
export function changeText(quota: Quota, format: QuotaFormat): string {
  const text = quotaText(quota, format).replace(/(\.\d{2}\d*?)0+$/, '$1')
  return quota > 0 ? `+${text}` : text
}
