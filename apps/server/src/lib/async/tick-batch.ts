/**
 * Calls that reach the same point in the same turn of the event loop, resumed together. A call runs more code than the
 * processor's nearest caches hold: calls that run one after the other load it anew each time, a batch loads it once.
 */
export function createTickBatch() {
  let batch: Promise<void> | undefined

  function resolveAtEndOfTurn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        batch = undefined
        resolve()
      })
    })
  }

  return {
    /** Resolves at the end of this turn of the event loop, for every call that joined in it. */
    join(): Promise<void> {
      batch ??= resolveAtEndOfTurn()
      return batch
    },
  }
}

export type TickBatch = ReturnType<typeof createTickBatch>
