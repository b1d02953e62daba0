import type { ExchangeEnd } from './exchange.ts'

/** One call that is being served. */
export interface InFlightEntry {
  /** Tells how to end what the call has open upstream; called anew for each attempt. */
  readonly onEnd: (end: (reason: ExchangeEnd) => void) => void
  /** The call is over and settled. Idempotent. */
  readonly leave: () => void
}

/** Calls being served, so that a stop can wait for them and, when it must, end them. */
export interface InFlight {
  readonly count: number
  enter(): InFlightEntry
  /** Resolves when no call is left; after `limitMs` ends those that are, and waits for their settling. */
  drain(limitMs: number): Promise<void>
}

export function createInFlight(): InFlight {
  const entries = new Set<{ end: ((reason: ExchangeEnd) => void) | undefined }>()
  let onEmpty: (() => void) | undefined

  return {
    get count() {
      return entries.size
    },
    enter() {
      const entry: { end: ((reason: ExchangeEnd) => void) | undefined } = { end: undefined }
      entries.add(entry)
      return {
        onEnd: (end) => {
          entry.end = end
        },
        leave: () => {
          entries.delete(entry)
          if (entries.size === 0) onEmpty?.()
        },
      }
    },
    async drain(limitMs) {
      if (entries.size === 0) return
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve
      })
      const timer = setTimeout(() => {
        for (const entry of entries) entry.end?.('shutdown')
      }, limitMs)
      await empty
      clearTimeout(timer)
    },
  }
}
