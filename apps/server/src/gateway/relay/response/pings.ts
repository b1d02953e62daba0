import type { SettingsReader } from '../../../settings/settings.ts'

/** Time for which a stream may be silent before a ping keeps it alive, by the current settings. */
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
