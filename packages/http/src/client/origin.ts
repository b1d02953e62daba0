import type { Clock } from '@tollgate/base'
import type { Connection, ConnectionKeeper } from './connection.ts'
import { type Dialling, dial, type Endpoint } from './dial.ts'

/** Idle connections are closed after this, before most servers and balancers would. */
const idleMs = 30_000
/** A server that says how long it keeps a connection closes it to the second. */
const keepAliveMarginMs = 1000
const maxIdle = 1024

/** The connections to one endpoint: those that idle, the youngest taken first, and the number of all. */
export class Origin implements ConnectionKeeper {
  readonly #endpoint: Endpoint
  readonly #idle: Connection[] = []
  readonly clock: Clock
  #open = 0
  #isClosed = false

  constructor(endpoint: Endpoint, clock: Clock) {
    this.#endpoint = endpoint
    this.clock = clock
  }

  get isUnused(): boolean {
    return this.#open === 0
  }

  takeIdle(): Connection | undefined {
    const now = this.clock.now()
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined || connection.idleUntil > now) return connection
      connection.cut()
    }
  }

  /** A new connection. */
  open(): Dialling {
    this.#open += 1
    const dialling = dial(this.#endpoint, this)
    dialling.connection.catch(() => {
      this.#open -= 1
    })
    return dialling
  }

  released(connection: Connection): void {
    if (this.#isClosed || this.#idle.length >= maxIdle) {
      connection.cut()
      return
    }
    const { keepAliveSeconds } = connection
    const keptMs =
      keepAliveSeconds === undefined ? idleMs : Math.min(idleMs, keepAliveSeconds * 1000 - keepAliveMarginMs)
    connection.idleUntil = this.clock.now() + keptMs
    this.#idle.push(connection)
  }

  closed(connection: Connection): void {
    this.#open -= 1
    const index = this.#idle.indexOf(connection)
    if (index !== -1) this.#idle.splice(index, 1)
  }

  /** Closes the connections that may not be used after `now`. */
  closeIdle(now: number): void {
    for (const connection of this.#idle.filter(({ idleUntil }) => idleUntil <= now)) connection.cut()
  }

  /** Closes what idles now and whatever would idle later. */
  close(): void {
    this.#isClosed = true
    this.closeIdle(Number.POSITIVE_INFINITY)
  }
}
