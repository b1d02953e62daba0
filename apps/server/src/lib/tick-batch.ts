/**
 * Calls that stand at the same point in the same turn of the event loop, gathered to go on side by side. The way of a
 * call is more code than the processor's nearest caches hold: one call after the other fetches all of it anew, while
 * calls that take each step together fetch it once for all of them.
 */
export interface TickBatch {
  /** Resolves at the end of this turn of the event loop, for everybody who joined in it. */
  join(): Promise<void>
}

/** Awaited between two steps of a call: the rest of its convoy takes the first step before anyone takes the second. */
export const together: Promise<void> = Promise.resolve()

export function createTickBatch(): TickBatch {
  let gathering: Promise<void> | undefined

  function gather(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        gathering = undefined
        resolve()
      })
    })
  }

  return {
    join() {
      gathering ??= gather()
      return gathering
    },
  }
}
