/**
 * Asks at once for everything that is asked for in one turn of the event loop. Reading a row costs little; asking another
 * thread or another machine for it costs much, and after a start everybody's first call asks.
 * @param readAll what there is of the keys, by key
 */
export function createBatchLoader<Key, Value>(
  readAll: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let keys: Key[] = []
  let gathering: Promise<ReadonlyMap<Key, Value>> | undefined

  function askAtEndOfTurn(): Promise<ReadonlyMap<Key, Value>> {
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        const asked = keys
        keys = []
        gathering = undefined
        readAll(asked).then(resolve, reject)
      })
    })
  }

  return async (key) => {
    keys.push(key)
    gathering ??= askAtEndOfTurn()
    return (await gathering).get(key)
  }
}
