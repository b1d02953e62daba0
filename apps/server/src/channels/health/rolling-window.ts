const buckets = 6
const bucketMs = 10_000

/**
 * Successes and failures of the last minute, in buckets of ten seconds. Fixed size; adding and reading allocate nothing
 * and, but for the first time in a bucket, touch nothing but the object itself, because both happen for every call.
 * A base class for what has such a minute: two objects would be two places of memory.
 */
export class RollingWindow {
  successes = 0
  failures = 0
  /** Number of the bucket that is being filled, counted from 1970, and what is in it. */
  #current = 0
  #currentSuccesses = 0
  #currentFailures = 0
  /** Of full buckets: successes in the first half, failures in the second. */
  readonly #full = new Array<number>(buckets * 2).fill(0)

  add(now: number, failed: boolean): void {
    this.advance(now)
    if (failed) {
      this.failures += 1
      this.#currentFailures += 1
    } else {
      this.successes += 1
      this.#currentSuccesses += 1
    }
  }

  /** Drops what is older than the window. Call before reading the sums. */
  advance(now: number): void {
    const bucket = Math.floor(now / bucketMs)
    // A clock that was set back fills the newest bucket until it has caught up.
    if (bucket <= this.#current) return
    const slot = this.#current % buckets
    this.#full[slot] = this.#currentSuccesses
    this.#full[slot + buckets] = this.#currentFailures
    const passed = Math.min(bucket - this.#current, buckets)
    for (let step = 1; step <= passed; step += 1) this.#drop((this.#current + step) % buckets)
    this.#begin(bucket)
  }

  clear(): void {
    this.successes = 0
    this.failures = 0
    this.#full.fill(0)
    this.#begin(this.#current)
  }

  #begin(bucket: number): void {
    this.#current = bucket
    this.#currentSuccesses = 0
    this.#currentFailures = 0
  }

  #drop(slot: number): void {
    this.successes -= this.#full[slot] ?? 0
    this.failures -= this.#full[slot + buckets] ?? 0
    this.#full[slot] = 0
    this.#full[slot + buckets] = 0
  }
}
