import type { Clock } from '@tollgate/base'

interface Count {
  /** Number of the window, counted from the clock's zero. */
  window: number
  current: number
  previous: number
}

/**
 * Limits how often each key may do something. The window slides by weighing the count of the last complete window with
 * the part of it that is still in view: two numbers per key, however high the limit is.
 */
export interface SlidingWindow<Key = string> {
  /** Counts one use; false, and nothing counted, when the key has used up its limit. */
  take(key: Key): boolean
  /** Takes back one use that turned out not to count. */
  giveBack(key: Key): void
  /** Whether `take` would refuse. */
  isSpent(key: Key): boolean
  /** Whole seconds until a refused key may try again. */
  retryAfterSeconds(key: Key): number
  /** Forgets every use. */
  clear(): void
}

/** One of the counts that a use adds to. */
export interface KeyCount {
  readonly key: string
  readonly window: SlidingWindow
}

/**
 * Counts each use under several keys at once; the first used-up key refuses it, and then nothing is counted.
 * @param windows all that `countsOf` may name
 */
export function combineWindows<Key>(
  windows: readonly Pick<SlidingWindow, 'clear'>[],
  countsOf: (key: Key) => readonly KeyCount[],
): SlidingWindow<Key> {
  const isSpent = (subject: Key) => countsOf(subject).some(({ key, window }) => window.isSpent(key))
  return {
    isSpent,
    take(subject) {
      if (isSpent(subject)) return false
      for (const { key, window } of countsOf(subject)) window.take(key)
      return true
    },
    giveBack(subject) {
      for (const { key, window } of countsOf(subject)) window.giveBack(key)
    },
    retryAfterSeconds(subject) {
      const spent = countsOf(subject).filter(({ key, window }) => window.isSpent(key))
      return Math.max(1, ...spent.map(({ key, window }) => window.retryAfterSeconds(key)))
    },
    clear() {
      for (const window of windows) window.clear()
    },
  }
}

interface Options {
  readonly limit: number
  readonly windowSeconds: number
  /** A monotonic one: windows are durations. */
  readonly clock: Clock
  /** Keys with a count of their own at once. */
  readonly maximumKeys?: number
  /**
   * What happens to a key beyond `maximumKeys`. Throttles of traffic forget the least recently used key. Defences of
   * secrets forget nothing that is still in view: all further keys share one count with a limit many times as high.
   */
  readonly whenFull?: 'forget' | 'share'
}

/** The shared count of all keys beyond `maximumKeys`. */
const sharedKey = ' shared'
const sharedFactor = 50

export function createSlidingWindow({
  limit,
  windowSeconds,
  clock,
  maximumKeys = 20_000,
  whenFull = 'forget',
}: Options): SlidingWindow {
  const windowMs = windowSeconds * 1000
  const counts = new Map<string, Count>()

  function countOf(key: string): Count {
    const window = Math.floor(clock.now() / windowMs)
    const count = counts.get(key)
    if (count === undefined) return { window, current: 0, previous: 0 }
    if (count.window !== window) {
      count.previous = count.window === window - 1 ? count.current : 0
      count.current = 0
      count.window = window
    }
    return count
  }

  function inView(count: Count): number {
    const passed = (clock.now() % windowMs) / windowMs
    return count.current + count.previous * (1 - passed)
  }

  const limitOf = (key: string) => (key === sharedKey ? limit * sharedFactor : limit)

  const isSpent = (key: string, count: Count) => inView(count) + 1 > limitOf(key)

  function remember(key: string, count: Count): void {
    counts.delete(key)
    counts.set(key, count)
    const quietest =
      whenFull === 'forget' && counts.size > maximumKeys ? counts.keys().next().value : undefined
    if (quietest !== undefined) counts.delete(quietest)
  }

  /** Keys are in the order of their last use, so those out of view come first. */
  function forgetOutOfView(): void {
    const oldestInView = Math.floor(clock.now() / windowMs) - 1
    for (const [key, { window }] of counts) {
      if (window >= oldestInView) return
      counts.delete(key)
    }
  }

  /** The key under which a key is counted: its own, or the shared one when `maximumKeys` are in use. */
  function countedAs(key: string): string {
    if (whenFull === 'forget' || counts.has(key) || counts.size < maximumKeys) return key
    forgetOutOfView()
    return counts.size < maximumKeys ? key : sharedKey
  }

  return {
    take(requested) {
      const key = countedAs(requested)
      const count = countOf(key)
      if (isSpent(key, count)) return false
      count.current++
      remember(key, count)
      return true
    },
    giveBack(requested) {
      const count = counts.get(countedAs(requested))
      if (count !== undefined && count.current > 0) count.current -= 1
    },
    isSpent(requested) {
      const key = countedAs(requested)
      return isSpent(key, countOf(key))
    },
    retryAfterSeconds(requested) {
      const key = countedAs(requested)
      const count = countOf(key)
      const limit = limitOf(key)
      const untilNextWindow = windowMs - (clock.now() % windowMs)
      // What is in view must shrink to `limit - 1`: in this window by sliding, else in the next one.
      const excess = inView(count) - (limit - 1)
      const slidesPerMs = count.previous / windowMs
      const byNow = slidesPerMs > 0 ? excess / slidesPerMs : Number.POSITIVE_INFINITY
      const inNext = untilNextWindow + Math.max(0, 1 - (limit - 1) / count.current) * windowMs
      return Math.max(1, Math.ceil((byNow <= untilNextWindow ? byNow : inNext) / 1000))
    },
    clear: () => counts.clear(),
  }
}
