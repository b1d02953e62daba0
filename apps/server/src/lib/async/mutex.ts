/**
 * Runs tasks one at a time, in the order of the calls. A task that fails does not stop those behind it. For state of this process
 * alone: what is in the database is locked there, because another node has a mutex of its own.
 */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}

/** One mutex for each key that is in use: tasks of different keys run side by side. For state of this process alone, too. */
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
}
