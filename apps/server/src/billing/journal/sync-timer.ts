/** Runs `sync` so long after it was first wanted, one at a time; never when `afterMs` is 0. */
export class SyncTimer {
  readonly #afterMs: number
  readonly #sync: () => Promise<void>
  #scheduled = false
  /** Wanted again since the scheduled run began. */
  #again = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(afterMs: number, sync: () => Promise<void>) {
    this.#afterMs = afterMs
    this.#sync = sync
  }

  /** Something was written. */
  want(): void {
    this.#again = true
    if (this.#scheduled || this.#afterMs === 0 || this.#closed) return
    this.#scheduled = true
    this.#timer = setTimeout(() => void this.#run(), this.#afterMs)
    // The end of the process syncs by itself.
    this.#timer.unref()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#again = false
    await this.#sync()
    this.#scheduled = false
    if (this.#again) this.want()
  }
}
