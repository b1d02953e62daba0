import type { SettingsReader } from '../../../settings/settings.ts'

/** How long a stream may be silent before a ping keeps it alive, as the settings are now. */
export class Pings {
  readonly #settings: SettingsReader

  constructor(settings: SettingsReader) {
    this.#settings = settings
  }

  /** `undefined` sends no pings. */
  get pingMs(): number | undefined {
    const { current } = this.#settings
    const isOn = current['general_setting.ping_interval_enabled']
    return isOn ? current['general_setting.ping_interval_seconds'] * 1000 : undefined
  }
}
