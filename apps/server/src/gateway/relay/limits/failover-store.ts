import type { Clock } from '@tollgate/base'
import type { Logger } from '../../../lib/logger.ts'
import type { Slice, SliceRequest, SliceStore } from './slice-store.ts'

/** Pause after a failure of the store. */
const restMs = 5000
/** Keys whose counts move with a change of stores; beyond it those that were quiet for longest begin anew. */
const maxKeys = 100_000

export interface NamedStore {
  readonly name: string
  readonly store: SliceStore
}

/** Last state of one key in a store. */
interface Seen {
  readonly slice: Slice
  readonly index: number
}

/**
 * Uses the first store that works, and logs each change once. A count goes on in the next store from where this node last saw it,
 * so that a change grants again at most what other nodes were granted since then.
 */
export class FailoverStore implements SliceStore {
  readonly #stores: readonly NamedStore[]
  readonly #clock: Clock
  readonly #logger: Pick<Logger, 'warn' | 'info'>
  readonly #failedAt: number[]
  /** States by key, the one without a call for longest first. */
  readonly #seen = new Map<string, Seen>()
  #inUse = 0

  /** @param stores the best first; the last one never fails */
  constructor(stores: readonly NamedStore[], clock: Clock, logger: Pick<Logger, 'warn' | 'info'>) {
    this.#stores = stores
    this.#clock = clock
    this.#logger = logger
    this.#failedAt = stores.map(() => Number.NEGATIVE_INFINITY)
  }

  async exchange(requests: readonly SliceRequest[]): Promise<readonly Slice[]> {
    let cause: unknown
    for (const [index, { store }] of this.#stores.entries()) {
      if (this.#clock.now() - (this.#failedAt[index] ?? 0) < restMs) continue
      const sent = requests.map((request) => this.#continued(request, index))
      try {
        // A connection that was cut fails one exchange; a store that is gone fails the next one, too.
        const slices = await store.exchange(sent).catch(() => store.exchange(sent))
        this.#use(index, cause)
        for (const [position, { key }] of sent.entries()) this.#remember(key, slices[position], index)
        return slices
      } catch (error) {
        cause = error
        this.#failedAt[index] = this.#clock.now()
      }
    }
    throw cause
  }

  #use(index: number, cause: unknown): void {
    if (index === this.#inUse) return
    const [from, to] = [this.#stores[this.#inUse]?.name, this.#stores[index]?.name]
    if (index > this.#inUse)
      this.#logger.warn(
        { err: cause },
        `limits: ${from} does not respond, so ${to} counts in its place: check ${from}`,
      )
    else this.#logger.info(`limits: ${to} responds and counts again`)
    this.#inUse = index
  }

  /** Adds what another store has counted before. */
  #continued(request: SliceRequest, index: number): SliceRequest {
    const seen = this.#seen.get(request.key)
    if (seen === undefined || seen.index === index || request.windowMs === undefined) return request
    const { window, current, previous } = seen.slice
    return { ...request, atLeast: { window, current, previous } }
  }

  #remember(key: string, slice: Slice | undefined, index: number): void {
    if (slice === undefined) return
    this.#seen.delete(key)
    this.#seen.set(key, { slice, index })
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > maxKeys && oldest !== undefined) this.#seen.delete(oldest)
  }
}
