import { Roll, RollMember } from '../lib/roll.ts'
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
  const entries = new Roll<Entry>()
  let onEmpty: (() => void) | undefined

  class Entry extends RollMember implements InFlightEntry {
    exchange: InFlightEntry['exchange'] = undefined

    leave(): void {
      entries.remove(this)
      if (entries.size === 0) onEmpty?.()
    }
  }

  return {
    get count() {
      return entries.size
    },
    enter() {
      const entry = new Entry()
      entries.add(entry)
      return entry
    },
    async drain(limitMs) {
      if (entries.size === 0) return
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve
      })
      const timer = setTimeout(() => {
        for (const { exchange } of entries.members()) exchange?.end('shutdown')
      }, limitMs)
      await empty
      clearTimeout(timer)
    },
  }
}
