/**
 * Loads in one batch everything that is asked for in one turn of the event loop. Reading a row costs little; asking another
 * thread or another machine for it costs much, and after a start everybody's first call asks.
 * @param readAll what there is of the keys, by key
 */
export function createBatchLoader<Key, Value>(
  readAll: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let keys: Key[] = []
  let batch: Promise<ReadonlyMap<Key, Value>> | undefined

  function loadAtEndOfTurn(): Promise<ReadonlyMap<Key, Value>> {
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        const asked = keys
        keys = []
        batch = undefined
        readAll(asked).then(resolve, reject)
      })
    })
  }

  return async (key) => {
    keys.push(key)
    batch ??= loadAtEndOfTurn()
    return (await batch).get(key)
  }
}
