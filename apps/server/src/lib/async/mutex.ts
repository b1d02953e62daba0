/** Runs tasks one at a time, in the order of the calls. A task that fails does not stop those behind it. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}

/** One mutex for each key that is in use: tasks of different keys run side by side. */
export class KeyedMutex<Key> {
  readonly #entry = new Map<Key, { readonly mutex: Mutex; users: number }>()

  async run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const entry = this.#entry.get(key) ?? { mutex: new Mutex(), users: 0 }
    this.#entry.set(key, entry)
    entry.users += 1
    try {
      return await entry.mutex.run(work)
    } finally {
      entry.users -= 1
      if (entry.users === 0) this.#entry.delete(key)
    }
  }

  /** Locks several keys at once, always in the same order, so that two callers never deadlock. */
  runAll<Result>(keys: Iterable<Key>, work: () => Promise<Result>): Promise<Result> {
    const ordered = [...new Set(keys)].sort()
    return ordered.reduceRight((inner, key) => () => this.run(key, inner), work)()
  }
}
