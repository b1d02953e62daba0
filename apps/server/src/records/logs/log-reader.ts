import type { Language } from '@tollgate/api'
import type { LogReader } from '@tollgate/api/log-events'
import type { SettingValues } from '@tollgate/api/settings'

type Display = Pick<SettingValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>

/** Current display of amounts on the site. */
export interface DisplaySettings {
  readonly current: Display
}

/** The reader of log rows in a language, with amounts as the site displays them now. */
export function logReader({ current }: DisplaySettings, language: Language): LogReader {
  const { DisplayInCurrencyEnabled, QuotaPerUnit } = current
  return { language, DisplayInCurrencyEnabled, QuotaPerUnit }
}
