import type { SettingValues } from '@tollgate/api/settings'
import type { Quota } from '../../../store/units.ts'

/** The text of an amount on a payment page: in currency with six decimals, or in points. */
export function quotaText(
  values: Pick<SettingValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>,
  quota: Quota,
): string {
  return values.DisplayInCurrencyEnabled
    ? `＄${(quota / values.QuotaPerUnit).toFixed(6)} of quota`
    : `${quota} points of quota`
}
