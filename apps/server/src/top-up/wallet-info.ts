import type { TopUpInfo } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { minimumAmount, topUpRatio } from './amounts.ts'
import { offeredMethods } from './methods.ts'

/** Multiples of the least amount. */
const presetMultiples = [1, 2, 5, 10, 20, 50, 100]

/** The offers of the wallet page to a user of `group`. */
export function walletInfo(settings: SettingValues, group: string): TopUpInfo {
  const methods = offeredMethods(settings)
  const minimum = minimumAmount(settings)
  return {
    enable_online_topup: methods.length > 0,
    methods: methods.map(({ method, provider, currency, price }) => ({ method, provider, currency, price })),
    group_ratio: topUpRatio(settings, group),
    display_in_currency: settings.DisplayInCurrencyEnabled,
    quota_per_unit: settings.QuotaPerUnit,
    min_amount: minimum,
    presets: presetMultiples.map((times) => times * minimum),
    top_up_link: settings.TopUpLink,
  }
}
