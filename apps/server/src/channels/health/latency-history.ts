const minuteMs = 60_000
const maximumMinutes = 60

/** Mean time of a channel's attempts for each minute of the last hour. Times are of the monotonic clock, in ms. */
export class LatencyHistory {
  /** Number of the current minute: time divided by its length. */
  #minute = 0
  #sumMs = 0
  #calls = 0
  /** Earlier minutes in which there were calls, oldest first. */
  #means: { readonly minute: number; readonly ms: number }[] = []

  add(now: number, ms: number): void {
    this.#advance(now)
    this.#sumMs += ms
    this.#calls += 1
  }

  /** Whole milliseconds, oldest first. Minutes without a call are left out. */
  means(now: number): number[] {
    this.#advance(now)
    const means = this.#means.map(({ ms }) => ms)
    return this.#calls === 0 ? means : [...means, this.#mean()]
  }

  #advance(now: number): void {
    const minute = Math.floor(now / minuteMs)
    if (minute === this.#minute) return
    if (this.#calls > 0) this.#means.push({ minute: this.#minute, ms: this.#mean() })
    this.#means = this.#means.filter((mean) => mean.minute > minute - maximumMinutes)
    this.#minute = minute
    this.#sumMs = 0
    this.#calls = 0
  }

  #mean(): number {
    return Math.round(this.#sumMs / this.#calls)
  }
}
