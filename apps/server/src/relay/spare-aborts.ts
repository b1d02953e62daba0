/**
 * Controllers that may serve again. An exchange needs one to be cut off, nearly none is, and a new one for each costs
 * the garbage collector more than the exchange costs us.
 */
export interface SpareAborts {
  take(): AbortController
  /** Only for a controller that was not used and that nobody holds any more. */
  give(controller: AbortController): void
}

/** Beyond a burst's worth they are left to the collector. */
const maxSpare = 1024

export function createSpareAborts(): SpareAborts {
  const spare: AbortController[] = []
  return {
    take: () => spare.pop() ?? new AbortController(),
    give(controller) {
      if (spare.length < maxSpare && !controller.signal.aborted) spare.push(controller)
    },
  }
}
