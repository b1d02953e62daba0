import type { Clock } from '@tollgate/base'
import { countInView, msUntilRoom, WindowCounter, type WindowCounts } from './window-counter.ts'

/** Limits how often each key may do something. */
export interface SlidingWindow<Key = string> {
  /** Counts one use; false, and nothing counted, when the key has used up its limit. */
  take(key: Key): boolean
  /** Takes back one use that turned out not to count. */
  giveBack(key: Key): void
  /** Decides whether `take` would refuse. */
  isSpent(key: Key): boolean
  /** Whole seconds until a refused key may try again. */
  retryAfterSeconds(key: Key): number
  /** Forgets every use. */
  clear(): void
}

/** Counts of a window that several processes share. */
export interface WindowShare {
  /** Tells the others of uses of a key; of one that was taken back, -1. */
  counted(key: string, uses: number): void
  /** Has the uses of the others counted. */
  subscribe(count: (key: string, uses: number) => void): void
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
  readonly maxKeys?: number
  /**
   * Treatment of a key beyond `maxKeys`. Throttles of traffic forget the least recently used key. Defences of secrets forget nothing
   * that is still in view: all further keys share one count with a limit many times as high.
   */
  readonly whenFull?: 'forget' | 'share'
  /** Other processes that count the same window. None by default. */
  readonly among?: WindowShare | undefined
}

/** The shared count of all keys beyond `maxKeys`. */
const sharedKey = ' shared'
const sharedFactor = 50

export function createSlidingWindow({
  limit,
  windowSeconds,
  clock,
  maxKeys = 20_000,
  whenFull = 'forget',
  among,
}: Options): SlidingWindow {
  const windowMs = windowSeconds * 1000
  const counters = new Map<string, WindowCounter>()
  const unused: WindowCounts = { current: 0, previous: 0, passedMs: 0, windowMs }
  const countsOf = (key: string) => counters.get(key)?.counts(clock.now()) ?? unused

  const limitOf = (key: string) => (key === sharedKey ? limit * sharedFactor : limit)

  const isSpent = (key: string) => countInView(countsOf(key)) + 1 > limitOf(key)

  function count(key: string, uses = 1): void {
    const counter = counters.get(key) ?? new WindowCounter(windowMs)
    counter.add(uses, clock.now())
    counters.delete(key)
    counters.set(key, counter)
    const quietest =
      whenFull === 'forget' && counters.size > maxKeys ? counters.keys().next().value : undefined
    if (quietest !== undefined) counters.delete(quietest)
  }

  /** Keys are in the order of their last use, so those out of view come first. */
  function forgetOutOfView(): void {
    const now = clock.now()
    for (const [key, counter] of counters) {
      if (!counter.isIdle(now)) return
      counters.delete(key)
    }
  }

  /** The key under which a key is counted: its own, or the shared one when `maxKeys` are in use. */
  function countedAs(key: string): string {
    if (whenFull === 'forget' || counters.has(key) || counters.size < maxKeys) return key
    forgetOutOfView()
    return counters.size < maxKeys ? key : sharedKey
  }

  function takeBack(requested: string, uses: number): void {
    const [counter, now] = [counters.get(countedAs(requested)), clock.now()]
    counter?.takeBack(uses, counter.number(now), now)
  }

  among?.subscribe((key, uses) => (uses > 0 ? count(countedAs(key), uses) : takeBack(key, -uses)))

  return {
    take(requested) {
      const key = countedAs(requested)
      if (isSpent(key)) return false
      count(key)
      among?.counted(requested, 1)
      return true
    },
    giveBack(requested) {
      takeBack(requested, 1)
      among?.counted(requested, -1)
    },
    isSpent: (requested) => isSpent(countedAs(requested)),
    retryAfterSeconds(requested) {
      const key = countedAs(requested)
      return Math.max(1, Math.ceil(msUntilRoom(countsOf(key), limitOf(key) - 1) / 1000))
    },
    clear: () => counters.clear(),
  }
}
