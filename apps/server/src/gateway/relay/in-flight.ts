import { LinkedList, LinkedNode } from '@tollgate/base'
import type { DisconnectListener } from '@tollgate/http/server'
import type { Exchange, ExchangeEnd } from '../../upstream/exchange.ts'
import type { CallerConnection } from './call.ts'

/** One call that is being served. */
export interface InFlightEntry {
  /** Says which channel serves the call from now on, in place of the one before. */
  reaches(channelId: number): void
  /** Registers an exchange that the call has opened upstream, in place of the one before. */
  opened(exchange: EndableExchange): void
  /** Makes the call end with its caller, also one that would outlive it: its response has started to flow. */
  endsWithCaller(): void
  /** Makes the call go on although its response has started to flow; `alone` hears once that the caller is gone. */
  goesOnAlone(alone: () => void): void
  /** Removes a call that is over and settled. Idempotent. */
  leave(): void
}

export interface EndableExchange extends Pick<Exchange, 'end'> {
  /** The upstream may be at work on the call, and be paid for it; false when not said. */
  readonly isSent?: boolean
  /** Ends at the next pause. For what could go on without end. */
  retire?(): void
}

/** Calls being served, so that a stop can wait for them and, when it must, end them. */
export interface InFlight {
  readonly count: number
  /** Counts the calls that channels serve at this moment, by channel. Walks through all calls: not for each of them. */
  countByChannel(): ReadonlyMap<number, number>
  /**
   * @param outlivesCaller an exchange that was sent goes on to its end when the caller is gone, and is paid for; else it ends
   * at once, as one that was not sent does in any case
   */
  enter(connection: CallerConnection, outlivesCaller?: boolean): InFlightEntry
  /** Ends what could go on without end, each at its next pause. */
  retire(): void
  /** Resolves when no call is left; after `limitMs` ends those that are, and waits for their settling. */
  drain(limitMs: number): Promise<void>
}

export function createInFlight(): InFlight {
  const entries = new LinkedList<Entry>()
  let onEmpty: (() => void) | undefined
  let isRetiring = false

  class Entry extends LinkedNode implements InFlightEntry, DisconnectListener {
    #exchange: EndableExchange | undefined
    #isDisconnected = false
    #outlivesCaller: boolean
    #alone: (() => void) | undefined
    channelId: number | undefined

    constructor(outlivesCaller: boolean) {
      super()
      this.#outlivesCaller = outlivesCaller
    }

    reaches(channelId: number): void {
      this.channelId = channelId
    }

    opened(exchange: EndableExchange): void {
      this.#exchange = exchange
      // A hang-up between two attempts had nothing to end.
      if (this.#isDisconnected) this.#endUnwanted()
      if (isRetiring) this.retire()
    }

    disconnected(): void {
      this.#isDisconnected = true
      if (this.#alone === undefined) this.#endUnwanted()
      else this.#alone()
    }

    goesOnAlone(alone: () => void): void {
      this.#alone = alone
      if (this.#isDisconnected) alone()
    }

    endsWithCaller(): void {
      this.#outlivesCaller = false
      if (this.#isDisconnected) this.#endUnwanted()
    }

    #endUnwanted(): void {
      if (!(this.#outlivesCaller && this.#exchange?.isSent === true)) this.end('client')
    }

    retire(): void {
      this.#exchange?.retire?.()
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
    countByChannel() {
      const counts = new Map<number, number>()
      for (const { channelId } of entries.members())
        if (channelId !== undefined) counts.set(channelId, (counts.get(channelId) ?? 0) + 1)
      return counts
    },
    enter(connection, outlivesCaller = false) {
      const entry = new Entry(outlivesCaller)
      entries.add(entry)
      connection.onDisconnect(entry)
      return entry
    },
    retire() {
      isRetiring = true
      for (const entry of entries.members()) entry.retire()
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
