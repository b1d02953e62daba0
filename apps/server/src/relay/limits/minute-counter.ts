const minuteMs = 60_000

/**
 * A sliding minute in two numbers, however high its limit is: the count of the last whole minute weighs as much as is
 * still in view of it.
 */
export class MinuteCounter {
  #minute = 0
  #current = 0
  #previous = 0

  /** What is in view, in the same unit as was added. */
  inView(now: number): number {
    this.#turn(now)
    return this.#current + this.#previous * (1 - (now % minuteMs) / minuteMs)
  }

  add(amount: number, now: number): void {
    this.#turn(now)
    this.#current += amount
  }

  /** Takes back what was added in that minute; what is out of view needs no taking back. */
  takeBack(amount: number, minute: number, now: number): void {
    this.#turn(now)
    if (minute === this.#minute) this.#current = Math.max(0, this.#current - amount)
    else if (minute === this.#minute - 1) this.#previous = Math.max(0, this.#previous - amount)
  }

  /** Nothing of it is in view. */
  isIdle(now: number): boolean {
    this.#turn(now)
    return this.#current === 0 && this.#previous === 0
  }

  /** Milliseconds until no more than `room` is in view. */
  msUntil(room: number, now: number): number {
    this.#turn(now)
    const passed = now % minuteMs
    const untilNext = minuteMs - passed
    if (this.inView(now) <= room) return 0
    // In this minute the last one slides out of view; in the next one this one does.
    if (this.#current <= room) return minuteMs * (1 - (room - this.#current) / this.#previous) - passed
    return untilNext + minuteMs * (1 - room / this.#current)
  }

  #turn(now: number): void {
    const minute = minuteOf(now)
    if (minute === this.#minute) return
    this.#previous = minute === this.#minute + 1 ? this.#current : 0
    this.#current = 0
    this.#minute = minute
  }
}

/** @param now milliseconds of a monotonic clock */
export function minuteOf(now: number): number {
  return Math.floor(now / minuteMs)
}
