import type { Clock } from '@tollgate/base'
import { LinkedList, LinkedNode } from '@tollgate/base'

/** A limit on how long something may stay silent. */
export interface Deadline {
  /** Starts the limit anew. Costs one assignment, so that every stream event may call it. */
  extend(limitMs: number): void
  clear(): void
}

export interface Deadlines {
  start(limitMs: number, onExpired: () => void): Deadline
  close(): void
}

const defaultSweepMs = 250

/**
 * Many deadlines, one timer: calls are watched by a sweep that runs while there are any, because a timer
 * per call and per event costs more than the call's own work. Late by at most the sweep's period.
 */
export function createDeadlines(clock: Clock, sweepMs = defaultSweepMs): Deadlines {
  const tracked = new LinkedList<Tracked>()
  let timer: ReturnType<typeof setInterval> | undefined

  class Tracked extends LinkedNode implements Deadline {
    expiresAt: number
    readonly onExpired: () => void

    constructor(limitMs: number, onExpired: () => void) {
      super()
      this.expiresAt = clock.now() + limitMs
      this.onExpired = onExpired
    }

    extend(limitMs: number): void {
      this.expiresAt = clock.now() + limitMs
    }

    clear(): void {
      tracked.remove(this)
    }
  }

  function sweep(): void {
    const now = clock.now()
    for (const entry of tracked.members()) {
      // One that expired before it may have had it cleared.
      if (entry.expiresAt <= now && tracked.remove(entry)) entry.onExpired()
    }
    if (tracked.size === 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    start(limitMs, onExpired) {
      const entry = new Tracked(limitMs, onExpired)
      tracked.add(entry)
      timer ??= setInterval(sweep, sweepMs)
      return entry
    },
    close: stop,
  }
}
