/**
 * Loads in one batch every key that is requested in one turn of the event loop: a round trip to the database costs more
 * than a row, and after a start the first call of every account needs one.
 * @param readAll the values that exist, by key
 */
export function createBatchLoader<Key, Value>(
  readAll: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let keys: Key[] = []
  let batch: Promise<ReadonlyMap<Key, Value>> | undefined

  function loadAtEndOfTurn(): Promise<ReadonlyMap<Key, Value>> {
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        const requested = keys
        keys = []
        batch = undefined
        readAll(requested).then(resolve, reject)
      })
    })
  }

  return async (key) => {
    keys.push(key)
    batch ??= loadAtEndOfTurn()
    return (await batch).get(key)
  }
}
