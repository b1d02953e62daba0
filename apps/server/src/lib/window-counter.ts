/**
 * The sliding window of every limit: two numbers a count, however high the limit is. The stores that nodes share count in the same windows
 * (`gateway/relay/limits`).
 */

/** The counts of a window and of the one before it, at a moment of the window. */
export interface WindowCounts {
  readonly current: number
  readonly previous: number
  /** Milliseconds of the window that have passed. */
  readonly passedMs: number
  readonly windowMs: number
}

/** Returns what is in view: the count of the last whole window weighs as much as is still in view of it. */
export function countInView({ current, previous, passedMs, windowMs }: WindowCounts): number {
  return current + previous * (1 - passedMs / windowMs)
}

/** Returns the milliseconds until no more than `room` is in view. */
export function msUntilRoom(counts: WindowCounts, room: number): number {
  const { current, previous, passedMs, windowMs } = counts
  if (countInView(counts) <= room) return 0
  // In this window the last one slides out of view; in the next one this one does.
  if (current <= room) return windowMs * (1 - (room - current) / previous) - passedMs
  return windowMs - passedMs + windowMs * (1 - room / current)
}

/** Counts in a sliding window of this process; in one that never ends where `windowMs` is infinite. */
export class WindowCounter {
  readonly #windowMs: number
  #number = 0
  #current = 0
  #previous = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Returns the number of the current window, counted from the clock's zero. */
  number(now: number): number {
    this.#turn(now)
    return this.#number
  }

  counts(now: number): WindowCounts {
    this.#turn(now)
    const windowMs = this.#windowMs
    const passedMs = windowMs === Number.POSITIVE_INFINITY ? 0 : now % windowMs
    return { current: this.#current, previous: this.#previous, passedMs, windowMs }
  }

  /** Returns the number of the window that it was counted in. */
  add(amount: number, now: number): number {
    this.#turn(now)
    this.#current += amount
    return this.#number
  }

  /** Takes back what was added in that window; what is out of view needs no taking back. */
  takeBack(amount: number, number: number, now: number): void {
    this.#turn(now)
    if (number === this.#number) this.#current = Math.max(0, this.#current - amount)
    else if (number === this.#number - 1) this.#previous = Math.max(0, this.#previous - amount)
  }

  /** Makes the count of the current window this one. */
  set(current: number, now: number): void {
    this.#turn(now)
    this.#current = current
  }

  /** Says whether nothing of it is in view. */
  isIdle(now: number): boolean {
    this.#turn(now)
    return this.#current === 0 && this.#previous === 0
  }

  #turn(now: number): void {
    const number = Math.floor(now / this.#windowMs)
    // A wall clock that is set back by less than a window opens no new one, or the limit would start anew.
    if (number === this.#number || number === this.#number - 1) return
    this.#previous = number === this.#number + 1 ? this.#current : 0
    this.#current = 0
    this.#number = number
  }
}
