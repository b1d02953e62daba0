import type { Clock } from '@tollgate/base'

const never = Number.POSITIVE_INFINITY
/** A body that comes more slowly holds memory for others' bodies too long. */
const leastBytesPerMs = 8192 / 1000
/** How far a body may fall behind that rate: pauses of a mobile network, and the first bytes. */
const allowanceMs = 60_000

/** Until when the next bytes of a body must come, in milliseconds of a monotonic clock. Time runs only while we read. */
export class MinimumBodyRate {
  readonly #clock: Clock
  #leftMs = allowanceMs
  #dueAt = never

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get dueAt(): number {
    return this.#dueAt
  }

  /** Another body begins. */
  reset(): void {
    this.#leftMs = allowanceMs
    this.#dueAt = never
  }

  /** We read the body, or do not: its sender cannot send then. */
  reading(isRead: boolean): void {
    if (isRead === (this.#dueAt !== never)) return
    if (isRead) this.#dueAt = this.#clock.now() + this.#leftMs
    else {
      this.#leftMs = Math.max(0, this.#dueAt - this.#clock.now())
      this.#dueAt = never
    }
  }

  /** So many bytes of the body came while we read it. */
  came(bytes: number): void {
    if (this.#dueAt === never) return
    this.#dueAt = Math.min(this.#dueAt + bytes / leastBytesPerMs, this.#clock.now() + allowanceMs)
  }
}
