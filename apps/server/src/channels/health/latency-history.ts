const minuteMs = 60_000
const keptMinutes = 60

/**
 * Mean time of a channel's attempts for each minute of the last hour. Bounded; adding touches nothing but the object
 * itself, because it happens for every call. A base class for what has such an hour: two objects would be two places of
 * memory.
 */
export class LatencyHistory {
  /** Number of the minute that is being summed up, counted from 1970. */
  #minute = 0
  #sumMs = 0
  #calls = 0
  /** Of minutes before it in which there were calls, oldest first. */
  #means: { readonly minute: number; readonly ms: number }[] = []

  addLatency(now: number, ms: number): void {
    const minute = Math.floor(now / minuteMs)
    // A clock that was set back goes on in the newest minute until it has caught up.
    if (minute > this.#minute) this.#close(minute)
    this.#sumMs += ms
    this.#calls += 1
  }

  /** Whole milliseconds, oldest first; minutes without a call are left out. */
  recentMs(now: number): number[] {
    const minute = Math.floor(now / minuteMs)
    if (minute > this.#minute) this.#close(minute)
    const means = this.#means.map(({ ms }) => ms)
    return this.#calls === 0 ? means : [...means, this.#mean()]
  }

  #close(minute: number): void {
    if (this.#calls > 0) this.#means.push({ minute: this.#minute, ms: this.#mean() })
    this.#means = this.#means.filter((mean) => mean.minute > minute - keptMinutes)
    this.#minute = minute
    this.#sumMs = 0
    this.#calls = 0
  }

  #mean(): number {
    return Math.round(this.#sumMs / this.#calls)
  }
}
