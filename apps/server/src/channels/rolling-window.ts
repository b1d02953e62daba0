const buckets = 6
const bucketMs = 10_000

/**
 * Successes and failures of the last minute, in buckets of ten seconds. Fixed size; adding and reading
 * allocate nothing, because both happen for every call.
 */
export class RollingWindow {
  /** Successes in the first half, failures in the second. */
  readonly #counts = new Array<number>(buckets * 2).fill(0)
  /** Number of the bucket that is being filled, counted from 1970. */
  #current = 0
  successes = 0
  failures = 0

  add(now: number, failed: boolean): void {
    this.advance(now)
    const slot = (this.#current % buckets) + (failed ? buckets : 0)
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1
    if (failed) this.failures += 1
    else this.successes += 1
  }

  /** Drops what is older than the window. Call before reading the sums. */
  advance(now: number): void {
    const bucket = Math.floor(now / bucketMs)
    // A clock that was set back fills the newest bucket until it has caught up.
    if (bucket <= this.#current) return
    const passed = Math.min(bucket - this.#current, buckets)
    for (let step = 1; step <= passed; step += 1) this.#drop((this.#current + step) % buckets)
    this.#current = bucket
  }

  clear(): void {
    this.#counts.fill(0)
    this.successes = 0
    this.failures = 0
  }

  #drop(slot: number): void {
    this.successes -= this.#counts[slot] ?? 0
    this.failures -= this.#counts[slot + buckets] ?? 0
    this.#counts[slot] = 0
    this.#counts[slot + buckets] = 0
  }
}
