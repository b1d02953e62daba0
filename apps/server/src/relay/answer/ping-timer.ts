import type { Deadline, Deadlines } from '../../upstream/deadlines.ts'

/** Tells when a stream has been silent for too long. */
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
