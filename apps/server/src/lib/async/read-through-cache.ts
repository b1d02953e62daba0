import { type Clock, monotonicClock } from '@tollgate/base'
import { LRUCache } from 'lru-cache'

/**
 * A bounded cache of values that live elsewhere. The code that changes one calls `drop`. Evicts the least recently used
 * first.
 */
export interface ReadThroughCache<Key, Value> {
  /** Reads memory alone: a value, `null` for "does not exist", `undefined` for "not in memory". */
  peek(key: Key): Value | null | undefined
  /**
   * Returns the value from memory, or loads it: once for concurrent calls. Rejects when loading does, and caches no failure.
   * @param load in place of the cache's own, for a caller who knows more than the key
   */
  find(key: Key, load?: () => Promise<Value | undefined>): Promise<Value | undefined>
  /** Forgets the value and a load under way: the next `find` loads again. */
  drop(key: Key): void
  /** Forgets every value that `test` picks. */
  dropWhere(test: (value: Value) => boolean): void
  /** Forgets everything. */
  clear(): void
}

interface Options<Key, Value> {
  readonly load: (key: Key) => Promise<Value | undefined>
  readonly max: number
  /** The monotonic clock when not given. */
  readonly clock?: Clock
  /** Time for which "does not exist" is cached, in milliseconds; 0 to load every time. */
  readonly absentMs: number
  /** Time for which a value is cached, in milliseconds; `undefined` when every change calls `drop`. */
  readonly presentMs?: number
}

/** Absent keys have a bound of their own, so that guessed keys cannot evict real values. */
const maxAbsent = 10_000

interface CachedEntry<Value> {
  readonly value: Value
  readonly until: number
}

/** Bounded by size: for a bound by count the library allocates all its memory at once. */
function bounded(max: number) {
  return { maxSize: max, sizeCalculation: () => 1 }
}

export function createReadThroughCache<Key extends string | number, Value extends object>({
  load,
  max,
  clock = monotonicClock,
  absentMs,
  presentMs = Number.POSITIVE_INFINITY,
}: Options<Key, Value>): ReadThroughCache<Key, Value> {
  const present = new LRUCache<Key, CachedEntry<Value>>(bounded(max))
  const absent = new LRUCache<Key, { readonly until: number }>(bounded(Math.min(max, maxAbsent)))
  const loading = new Map<Key, Promise<Value | undefined>>()

  // Values that never age are the hot path: no clock is read for them.
  const isCurrent = (until: number) => until === Number.POSITIVE_INFINITY || until > clock.now()

  function remember(key: Key, value: Value | undefined): void {
    if (value !== undefined) present.set(key, { value, until: clock.now() + presentMs })
    else if (absentMs > 0) absent.set(key, { until: clock.now() + absentMs })
  }

  function startLoading(key: Key, loaded: Promise<Value | undefined>): Promise<Value | undefined> {
    const running = loaded.then(
      (value) => {
        // A load that was dropped meanwhile may have read the row before its change: it must not be cached.
        if (loading.get(key) === running) {
          loading.delete(key)
          remember(key, value)
        }
        return value
      },
      (error) => {
        if (loading.get(key) === running) loading.delete(key)
        throw error
      },
    )
    loading.set(key, running)
    return running
  }

  function peek(key: Key): Value | null | undefined {
    const cached = present.get(key)
    if (cached !== undefined) return isCurrent(cached.until) ? cached.value : undefined
    const missing = absent.get(key)
    return missing !== undefined && isCurrent(missing.until) ? null : undefined
  }

  return {
    peek,
    async find(key, loadThis = () => load(key)) {
      const known = peek(key)
      if (known !== undefined) return known ?? undefined
      return loading.get(key) ?? startLoading(key, loadThis())
    },
    drop(key) {
      present.delete(key)
      absent.delete(key)
      loading.delete(key)
    },
    dropWhere(test) {
      for (const [key, cached] of present.entries()) if (test(cached.value)) present.delete(key)
      // A value that is still loading cannot be tested: its waiters get it, and it is not cached.
      loading.clear()
    },
    clear() {
      present.clear()
      absent.clear()
      loading.clear()
    },
  }
}
