import type { Clock } from '@tollgate/base'
import { PendingConnect } from './connect.ts'
import type { Connection, ConnectionPool } from './connection.ts'
import type { Endpoint } from './http-message.ts'
import { ConnectError } from './http-message.ts'

/** Idle connections are closed after this, before most servers and balancers would. */
const idleMs = 30_000
/** A server that says how long it keeps a connection closes it to the second. */
const keepAliveMarginMs = 1000
/** The pool replaces a connection after this age, to follow changes of the host's address. */
const maxAgeMs = 300_000
const maxIdle = 1024
/**
 * Most attempts to connect that the runtime still pursues past their time limit. No call stops them, so without this limit
 * an upstream that drops packets would occupy a file descriptor for every call.
 */
const maxOverdueConnects = 64

/** Address and limits of the connections of an origin. */
export interface OriginOptions {
  readonly endpoint: Endpoint
  /** Addresses to connect to instead of looking the host up. */
  readonly addresses: readonly string[] | undefined
  readonly connectTimeoutMs: number
  readonly clock: Clock
}

/** The connections to one endpoint: those that idle, the youngest taken first, and the number of all. */
export class Origin implements ConnectionPool {
  readonly #options: OriginOptions
  readonly #clock: Clock
  readonly #idle: Connection[] = []
  /** Connections that are open or being made. */
  #open = 0
  /** Attempts to connect that the runtime pursues. */
  #attempts = 0
  /** Connections that are being made within their limit. */
  #connecting = 0
  #isClosed = false

  constructor(options: OriginOptions) {
    this.#options = options
    this.#clock = options.clock
  }

  get isUnused(): boolean {
    return this.#open === 0 && this.#attempts === 0
  }

  takeIdle(): Connection | undefined {
    const now = this.#clock.now()
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined || connection.usableUntil > now) return connection
      connection.destroy()
    }
  }

  /** A new connection. Throws `ConnectError` while too many others could not be made. */
  connect(): PendingConnect {
    if (this.#attempts - this.#connecting >= maxOverdueConnects)
      throw new ConnectError('no connection was made: earlier ones timed out', { reason: 'timeout' })
    this.#open += 1
    this.#connecting += 1
    const { endpoint, addresses, connectTimeoutMs } = this.#options
    const pending = new PendingConnect({
      endpoint,
      addresses,
      limitMs: connectTimeoutMs,
      clock: this.#clock,
      pool: this,
      attemptStarted: () => {
        this.#attempts += 1
      },
      attemptEnded: () => {
        this.#attempts -= 1
      },
    })
    pending.connection.then(
      (connection) => {
        this.#connecting -= 1
        connection.openedAt = this.#clock.now()
      },
      () => {
        this.#connecting -= 1
        this.#open -= 1
      },
    )
    return pending
  }

  released(connection: Connection): void {
    const now = this.#clock.now()
    connection.usableUntil = Math.min(now + storedMs(connection), connection.openedAt + maxAgeMs)
    if (this.#isClosed || this.#idle.length >= maxIdle || connection.usableUntil <= now) connection.destroy()
    else this.#idle.push(connection)
  }

  closed(connection: Connection): void {
    this.#open -= 1
    const index = this.#idle.indexOf(connection)
    if (index !== -1) this.#idle.splice(index, 1)
  }

  /** Closes the connections that may not be used after `now`. */
  closeIdle(now: number): void {
    for (const connection of this.#idle.filter(({ usableUntil }) => usableUntil <= now)) connection.destroy()
  }

  /** Closes what idles now and whatever would idle later. */
  close(): void {
    this.#isClosed = true
    this.closeIdle(Number.POSITIVE_INFINITY)
  }
}

function storedMs({ keepAliveSeconds }: Connection): number {
  return keepAliveSeconds === undefined
    ? idleMs
    : Math.min(idleMs, keepAliveSeconds * 1000 - keepAliveMarginMs)
}
