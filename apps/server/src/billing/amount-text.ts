import type { SettingValues } from '@tollgate/api/settings'
import type { Quota } from '../store/units.ts'

const mostDecimals = 6

/** An amount in a sentence to a caller: `$0.016` with two digits that count, or quota units where the operator shows those. */
export function amountText(
  quota: Quota,
  {
    DisplayInCurrencyEnabled,
    QuotaPerUnit,
  }: Pick<SettingValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>,
): string {
  if (!DisplayInCurrencyEnabled) return `${quota} quota units`
  const amount = Math.abs(quota) / QuotaPerUnit
  const decimals =
    amount === 0 || amount >= 0.1 ? 2 : Math.min(mostDecimals, 1 - Math.floor(Math.log10(amount)))
  return `${quota < 0 ? '-' : ''}$${amount.toFixed(decimals)}`
}
