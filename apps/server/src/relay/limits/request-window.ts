import type { Clock } from '@tollgate/base'
import { createSlidingWindow, type SlidingWindow } from '../../lib/sliding-window.ts'

/** Counts requests in sliding windows, under keys. Nodes that share a store share the counts. */
export interface WindowStore {
  /**
   * Takes one of `limit` under `key` within a window.
   * @returns the seconds until one is free again; 0 when it was taken
   */
  take(key: string, bound: WindowBound): number | Promise<number>
  /** As `take`, but takes none. */
  check(key: string, bound: WindowBound): number | Promise<number>
  /** Takes one back that turned out not to count. */
  giveBack(key: string, bound: WindowBound): void
}

export interface WindowBound {
  readonly limit: number
  readonly windowSeconds: number
}

/** Counts of one process. */
export function createMemoryWindows(clock: Clock): WindowStore {
  /** By bound: an operator who changes a limit starts it anew. */
  const windows = new Map<string, SlidingWindow>()

  function windowOf({ limit, windowSeconds }: WindowBound): SlidingWindow {
    const place = `${limit}/${windowSeconds}`
    const known = windows.get(place)
    if (known !== undefined) return known
    if (windows.size === keptBounds) windows.clear()
    const made = createSlidingWindow({ limit, windowSeconds, clock })
    windows.set(place, made)
    return made
  }

  return {
    take(key, bound) {
      const window = windowOf(bound)
      return window.take(key) ? 0 : window.retryAfterSeconds(key)
    },
    check(key, bound) {
      const window = windowOf(bound)
      return window.isSpent(key) ? window.retryAfterSeconds(key) : 0
    },
    giveBack: (key, bound) => windowOf(bound).giveBack(key),
  }
}

const keptBounds = 64
