const buckets = 6
const bucketMs = 10_000

/**
 * Successes and failures of the last minute, in a ring of buckets of ten seconds. Fixed size: adding and reading allocate
 * nothing. Times are of the monotonic clock, in ms.
 */
export class RollingWindow {
  #successes = 0
  #failures = 0
  /** Number of the current bucket: time divided by its length. */
  #current = 0
  /** Successes of each bucket, by its number modulo `buckets`. */
  readonly #successesOf = new Array<number>(buckets).fill(0)
  readonly #failuresOf = new Array<number>(buckets).fill(0)

  add(now: number, failed: boolean): void {
    this.#advance(now)
    const slot = this.#current % buckets
    if (failed) {
      this.#failures += 1
      this.#failuresOf[slot] = (this.#failuresOf[slot] ?? 0) + 1
    } else {
      this.#successes += 1
      this.#successesOf[slot] = (this.#successesOf[slot] ?? 0) + 1
    }
  }

  counts(now: number): { readonly attempts: number; readonly failures: number } {
    this.#advance(now)
    return { attempts: this.#successes + this.#failures, failures: this.#failures }
  }

  clear(): void {
    this.#successes = 0
    this.#failures = 0
    this.#successesOf.fill(0)
    this.#failuresOf.fill(0)
  }

  /** Drops what is older than the window. */
  #advance(now: number): void {
    const bucket = Math.floor(now / bucketMs)
    const passed = Math.min(bucket - this.#current, buckets)
    for (let step = 1; step <= passed; step += 1) this.#drop((this.#current + step) % buckets)
    this.#current = bucket
  }

  #drop(slot: number): void {
    this.#successes -= this.#successesOf[slot] ?? 0
    this.#failures -= this.#failuresOf[slot] ?? 0
    this.#successesOf[slot] = 0
    this.#failuresOf[slot] = 0
  }
}
