import type { Seconds } from '../../store/units.ts'

interface TimedReadsOptions {
  /** Seconds for which a result holds. */
  readonly ttl: number
  /** Results that are held; the oldest goes first. */
  readonly max: number
  readonly now: () => Seconds
}

/** Results of reads, by key. Readers that meet share one read; reads of different keys wait for each other. */
export interface TimedReads<Result> {
  get(key: string, read: () => Promise<Result>): Promise<Result>
  forget(): void
}

/** Creates the memory of reads; a read that fails is tried again by the next reader. */
export function timedReads<Result>({ ttl, max, now }: TimedReadsOptions): TimedReads<Result> {
  const held = new Map<string, { readonly at: Seconds; readonly result: Promise<Result> }>()
  let last: Promise<unknown> = Promise.resolve()

  function start(key: string, read: () => Promise<Result>): Promise<Result> {
    const result = last.then(read, read)
    last = result.catch(() => undefined)
    const entry = { at: now(), result }
    held.delete(key)
    held.set(key, entry)
    const [oldest] = held.keys()
    if (held.size > max && oldest !== undefined) held.delete(oldest)
    // The next reader tries again.
    result.catch(() => {
      if (held.get(key) === entry) held.delete(key)
    })
    return result
  }

  return {
    get(key, read) {
      const known = held.get(key)
      const isFresh = known !== undefined && Math.abs(now() - known.at) < ttl
      return isFresh ? known.result : start(key, read)
    },
    forget: () => held.clear(),
  }
}
