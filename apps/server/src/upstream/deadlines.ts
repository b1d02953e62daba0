import { type Clock, LinkedList, LinkedNode } from '@tollgate/base'

const defaultSweepMs = 250

/**
 * Many deadlines, one timer: calls are watched by a sweep that runs while there are any, because a timer per call and per
 * event costs more than the call's own work. Late by at most the sweep's period.
 */
export class Deadlines {
  readonly #clock: Clock
  readonly #sweepMs: number
  readonly #tracked = new LinkedList<Deadline>()
  #timer: ReturnType<typeof setInterval> | undefined

  /** @param clock a monotonic one: a change of the wall clock must not end calls */
  constructor(clock: Clock, sweepMs = defaultSweepMs) {
    this.#clock = clock
    this.#sweepMs = sweepMs
  }

  start(limitMs: number, onExpired: () => void): Deadline {
    const deadline = new Deadline(this.#clock, this.#tracked, limitMs, onExpired)
    this.#tracked.add(deadline)
    this.#timer ??= setInterval(() => this.#sweep(), this.#sweepMs)
    return deadline
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #sweep(): void {
    const now = this.#clock.now()
    for (const deadline of this.#tracked.members()) {
      // One that expired before it may have had it cleared.
      if (deadline.expiresAt <= now && this.#tracked.remove(deadline)) deadline.onExpired()
    }
    if (this.#tracked.size === 0) this.close()
  }
}

/** A limit on how long something may stay silent. */
export class Deadline extends LinkedNode {
  expiresAt: number
  readonly onExpired: () => void
  readonly #clock: Clock
  readonly #list: LinkedList<Deadline>

  constructor(clock: Clock, list: LinkedList<Deadline>, limitMs: number, onExpired: () => void) {
    super()
    this.#clock = clock
    this.#list = list
    this.expiresAt = clock.now() + limitMs
    this.onExpired = onExpired
  }

  /** Starts the limit anew. Costs one assignment, so that every stream event may call it. */
  extend(limitMs: number): void {
    this.expiresAt = this.#clock.now() + limitMs
  }

  clear(): void {
    this.#list.remove(this)
  }
}
