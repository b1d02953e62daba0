import type { SettingsReader } from '../../../settings/settings.ts'
import type { Deadline, Deadlines } from '../../../upstream/deadlines.ts'

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

/** Reports when a stream has been silent for too long, again and again. */
export class PingTimer {
  readonly #deadlines: Deadlines
  readonly #everyMs: number
  #deadline: Deadline | undefined

  constructor(deadlines: Deadlines, everyMs: number) {
    this.#deadlines = deadlines
    this.#everyMs = everyMs
  }

  start(onSilence: () => void): void {
    this.#deadline = this.#deadlines.start(this.#everyMs, () => {
      onSilence()
      this.start(onSilence)
    })
  }

  extend(): void {
    this.#deadline?.extend(this.#everyMs)
  }

  stop(): void {
    this.#deadline?.clear()
  }
}
