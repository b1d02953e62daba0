import type { ExchangeEnd } from './exchange.ts'

/** One call that is being served. */
export interface InFlightEntry {
  /** What the call has open upstream; set anew for each attempt. */
  exchange: { end(reason: ExchangeEnd): void } | undefined
  /** The call is over and settled. Idempotent. */
  leave(): void
}

/** Calls being served, so that a stop can wait for them and, when it must, end them. */
export interface InFlight {
  readonly count: number
  enter(): InFlightEntry
  /** Resolves when no call is left; after `limitMs` ends those that are, and waits for their settling. */
  drain(limitMs: number): Promise<void>
}

export function createInFlight(): InFlight {
  const entries = new Set<InFlightEntry>()
  let onEmpty: (() => void) | undefined

  function leave(this: InFlightEntry): void {
    entries.delete(this)
    if (entries.size === 0) onEmpty?.()
  }

  return {
    get count() {
      return entries.size
    },
    enter() {
      const entry: InFlightEntry = { exchange: undefined, leave }
      entries.add(entry)
      return entry
    },
    async drain(limitMs) {
      if (entries.size === 0) return
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve
      })
      const timer = setTimeout(() => {
        for (const { exchange } of entries) exchange?.end('shutdown')
      }, limitMs)
      await empty
      clearTimeout(timer)
    },
  }
}
