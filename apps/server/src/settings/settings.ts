import type { SettingKey, SettingValues } from '@tollgate/api/settings'

/** Values in force, typed by the catalogue. Replaced whole on every change: keep no reference to `current`. */
export interface SettingsReader {
  readonly current: SettingValues
}

export interface Settings extends SettingsReader {
  /**
   * Validates, stores, puts in force and publishes, in that order; nothing is stored when the value is refused.
   * `text` undefined means "no change" (an untouched secret).
   */
  set(key: SettingKey, text: string | undefined): Promise<void>
}
