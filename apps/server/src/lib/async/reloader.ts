interface ReloaderOptions {
  readonly load: () => Promise<void>
  /** Called with each failure of a reload in the background; the reloader tries again. */
  readonly onFailure: (error: unknown) => void
}

const firstRetryMs = 1_000
const maxRetryMs = 30_000

/**
 * Runs one load at a time. Calls during a load share the next one, so that a burst of changes costs two loads and the
 * second sees every change. Failures in the background are retried with exponential backoff.
 */
export class Reloader {
  readonly #options: ReloaderOptions
  #running: Promise<void> | undefined
  #queued: Promise<void> | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #retryMs = firstRetryMs
  #closed = false

  constructor(options: ReloaderOptions) {
    this.#options = options
  }

  /** Loads everything that changed before this call. Rejects when the load does. */
  reload(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#load().finally(() => {
        this.#running = undefined
      })
      return this.#running
    }
    this.#queued ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#queued = undefined
        return this.reload()
      })
    return this.#queued
  }

  reloadInBackground(): void {
    this.reload().catch((error: unknown) => {
      this.#options.onFailure(error)
      this.#retryLater()
    })
  }

  /** Resolves when every load requested so far has ended, well or not. */
  settled(): Promise<void> {
    return (this.#queued ?? this.#running ?? Promise.resolve()).catch(() => undefined)
  }

  /** Cancels a pending retry. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#retryTimer)
  }

  async #load(): Promise<void> {
    await this.#options.load()
    this.#retryMs = firstRetryMs
  }

  #retryLater(): void {
    if (this.#closed || this.#retryTimer !== undefined) return
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined
      this.reloadInBackground()
    }, this.#retryMs)
    this.#retryTimer.unref()
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs)
  }
}
