import { type Clock, unixSeconds } from '@tollgate/base'
import type { AddressUse } from '../../store/accounts/token-addresses.ts'
import type { Store } from '../../store/store.ts'

interface Dependencies {
  readonly store: { readonly tokenAddresses: Pick<Store['tokenAddresses'], 'add'> }
  readonly clock: Clock
}

/** Addresses that wait for the database, of all keys and of one. Who calls from ever new ones gets no more memory. */
const maxWaiting = 20_000
const maxWaitingPerToken = 200
const batchSize = 500

type Counted = Map<string, { calls: number; at: number }>

/** Counts from which addresses keys are used: in memory as calls arrive, in the database every half minute. */
export function createKeyAddresses({ store, clock }: Dependencies) {
  let waiting = new Map<number, Counted>()
  let size = 0

  function count(tokenId: number, address: string, calls: number, at: number): void {
    let ofToken = waiting.get(tokenId)
    const known = ofToken?.get(address)
    if (known !== undefined) {
      known.calls += calls
      known.at = Math.max(known.at, at)
      return
    }
    if (size >= maxWaiting || (ofToken?.size ?? 0) >= maxWaitingPerToken) return
    if (ofToken === undefined) {
      ofToken = new Map()
      waiting.set(tokenId, ofToken)
    }
    ofToken.set(address, { calls, at })
    size += 1
  }

  return {
    /** Counts a call; touches no database. */
    note: (tokenId: number, address: string): void => {
      if (address !== '') count(tokenId, address, 1, unixSeconds(clock))
    },
    /** Writes what was counted since; what the database does not take is counted further, and the error is thrown. */
    async write(): Promise<void> {
      const uses = usesOf(waiting)
      waiting = new Map()
      size = 0
      for (let from = 0; from < uses.length; from += batchSize) {
        try {
          await store.tokenAddresses.add(uses.slice(from, from + batchSize))
        } catch (error) {
          for (const { tokenId, address, calls, at } of uses.slice(from)) count(tokenId, address, calls, at)
          throw error
        }
      }
    },
  }
}

export type KeyAddresses = ReturnType<typeof createKeyAddresses>

function usesOf(waiting: ReadonlyMap<number, Counted>): readonly AddressUse[] {
  return [...waiting].flatMap(([tokenId, counted]) =>
    [...counted].map(([address, { calls, at }]) => ({ tokenId, address, calls, at })),
  )
}
