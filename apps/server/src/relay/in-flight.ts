import { LinkedList, LinkedNode } from '@tollgate/base'
import type { GoneListener } from '@tollgate/http/server'
import type { Exchange, ExchangeEnd } from '../upstream/exchange.ts'
import type { CallerConnection } from './call.ts'

/** One call that is being served. */
export interface InFlightEntry {
  /** The call has opened an exchange upstream, in place of the one before; ended at once when its caller is gone. */
  opened(exchange: EndableExchange): void
  /** The call is over and settled. Idempotent. */
  leave(): void
}

export type EndableExchange = Pick<Exchange, 'end'>

/** Calls being served, so that a stop can wait for them and, when it must, end them. */
export interface InFlight {
  readonly count: number
  enter(connection: CallerConnection): InFlightEntry
  /** Resolves when no call is left; after `limitMs` ends those that are, and waits for their settling. */
  drain(limitMs: number): Promise<void>
}

export function createInFlight(): InFlight {
  const entries = new LinkedList<Entry>()
  let onEmpty: (() => void) | undefined

  class Entry extends LinkedNode implements InFlightEntry, GoneListener {
    #exchange: EndableExchange | undefined
    #isGone = false

    opened(exchange: EndableExchange): void {
      this.#exchange = exchange
      // A hang-up between two attempts had nothing to end.
      if (this.#isGone) exchange.end('client')
    }

    gone(): void {
      this.#isGone = true
      this.end('client')
    }

    end(reason: ExchangeEnd): void {
      this.#exchange?.end(reason)
    }

    leave(): void {
      entries.remove(this)
      if (entries.size === 0) onEmpty?.()
    }
  }

  return {
    get count() {
      return entries.size
    },
    enter(connection) {
      const entry = new Entry()
      entries.add(entry)
      connection.whenGone(entry)
      return entry
    },
    async drain(limitMs) {
      if (entries.size === 0) return
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve
      })
      const timer = setTimeout(() => {
        for (const entry of entries.members()) entry.end('shutdown')
      }, limitMs)
      await empty
      clearTimeout(timer)
    },
  }
}
