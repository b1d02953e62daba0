import type { SharedPort } from '@tollgate/http/server'
import type { Slot } from './slot.ts'

/** The sockets at which new connections come in. */
export interface Entrance {
  /** The sockets that each worker accepts from. */
  readonly sockets: readonly (readonly number[])[]
  /** Those of metrics, which all accept from. */
  readonly metricsSockets: readonly number[]
  /** The sockets are the service manager's. */
  readonly isLent: boolean
  /** Spreads new connections over the queues of these workers; absent where all accept from one queue. */
  readonly steer?: SharedPort['steer']
}

/** The queues that new connections go to now. */
export class Steering {
  readonly #entrance: Entrance
  #queues = ''

  constructor(entrance: Entrance) {
    this.#entrance = entrance
  }

  /** Sends new connections to the queues of these slots from now on; without any they go where they went. */
  to(slots: readonly Pick<Slot, 'index'>[]): void {
    const queues = slots.map(({ index }) => index)
    if (queues.length === 0 || queues.join() === this.#queues) return
    this.#queues = queues.join()
    this.#entrance.steer?.(queues)
  }
}
