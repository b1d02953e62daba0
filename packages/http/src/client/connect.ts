import { isIP } from 'node:net'
import type { Clock } from '@tollgate/base'
import { type ClientSocket, Connection, type ConnectionPool } from './connection.ts'
import { ConnectError, type ConnectFailure, type Endpoint } from './http-message.ts'

/** The part of a TLS socket that is used. */
type TlsSocket = Pick<Bun.Socket, 'getPeerX509Certificate'>

/**
 * Options of a TLS connection to a host. A name is announced and an address is not: RFC 6066 §3 knows only names.
 * @param hostname without brackets
 */
function tlsOptions(hostname: string): Bun.TLSOptions {
  // An empty name keeps the runtime from announcing what it connects to.
  return { rejectUnauthorized: true, serverName: isIP(hostname) === 0 ? hostname : '' }
}

/**
 * Returns whether the peer's certificate, whose chain is verified already, names the host as a subject alternative name
 * (RFC 9525 §6.3). The common name does not count.
 */
function isCertifiedFor(hostname: string, socket: TlsSocket): boolean {
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return false
  const found =
    isIP(hostname) === 0
      ? certificate.checkHost(hostname, { subject: 'never' })
      : certificate.checkIP(hostname)
  return found !== undefined
}

interface ConnectOptions {
  readonly endpoint: Endpoint
  /** Addresses to connect to, one after the other, instead of looking the host up. Not empty. */
  readonly addresses: readonly string[] | undefined
  /** Limit of look-up, TCP and TLS, all addresses together. */
  readonly limitMs: number
  readonly clock: Clock
  readonly pool: ConnectionPool
  readonly attemptStarted: () => void
  /** The runtime has ended an attempt, possibly long after the time limit: no call stops it earlier. */
  readonly attemptEnded: () => void
}

/** A connection that is being made, to the first address that can be reached. */
export class PendingConnect {
  /** Rejects with `ConnectError`. To a secure endpoint, it is one whose certificate was verified. */
  readonly connection: Promise<Connection>
  readonly #options: ConnectOptions
  readonly #hosts: readonly string[]
  readonly #deadline: number
  readonly #resolve: (connection: Connection) => void
  readonly #reject: (error: ConnectError) => void
  #attempt: ConnectAttempt | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #tried = 0
  #isOver = false

  constructor(options: ConnectOptions) {
    this.#options = options
    this.#hosts = options.addresses ?? [options.endpoint.hostname]
    this.#deadline = options.clock.now() + options.limitMs
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    this.connection = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#tryNext()
  }

  /** Gives it up; what was made of it is closed. */
  cancel(): void {
    this.#failed(new ConnectError('the request was given up', { reason: 'aborted' }))
  }

  #tryNext(): void {
    const host = this.#hosts[this.#tried]
    if (host === undefined) return
    const left = this.#deadline - this.#options.clock.now()
    // What is left is shared by those that are left: one that drops packets must not use it all up.
    const limitMs = Math.max(0, left / (this.#hosts.length - this.#tried))
    this.#tried += 1
    this.#attempt = new ConnectAttempt(host, this.#options, {
      connected: (connection) => this.#connected(connection),
      failed: (error) => this.#attemptFailed(error),
    })
    this.#timer = setTimeout(() => this.#attemptTimedOut(), limitMs)
  }

  #connected(connection: Connection): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#resolve(connection)
  }

  #attemptTimedOut(): void {
    const message = `no connection was made: timed out within ${this.#options.limitMs} ms`
    this.#attemptFailed(new ConnectError(message, { reason: 'timeout' }))
  }

  #attemptFailed(error: ConnectError): void {
    if (this.#isOver) return
    if (this.#tried === this.#hosts.length) {
      this.#failed(error)
      return
    }
    this.#attempt?.cancel()
    clearTimeout(this.#timer)
    this.#tryNext()
  }

  #failed(error: ConnectError): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#attempt?.cancel()
    this.#reject(error)
  }
}

interface AttemptListener {
  connected(connection: Connection): void
  failed(error: ConnectError): void
}

/** One socket on its way to one address. */
class ConnectAttempt {
  readonly #connection: Connection
  readonly #endpoint: Endpoint
  readonly #listener: AttemptListener
  #socket: ClientSocket | undefined
  #isOver = false

  constructor(host: string, options: ConnectOptions, listener: AttemptListener) {
    const { endpoint, pool, attemptStarted, attemptEnded } = options
    this.#endpoint = endpoint
    this.#listener = listener
    this.#connection = new Connection(pool)
    attemptStarted()
    const socketOptions = { hostname: host, port: endpoint.port, socket: this.#handler() } as const
    const opening = endpoint.secure
      ? Bun.connect({ ...socketOptions, tls: tlsOptions(endpoint.hostname) })
      : Bun.connect(socketOptions)
    opening
      .catch((error: unknown) => this.#failed(failureOf(error), 'no connection was made', error))
      .finally(attemptEnded)
  }

  cancel(): void {
    this.#isOver = true
    this.#socket?.terminate()
  }

  #handler(): Bun.SocketHandler<undefined, 'buffer'> {
    const connection = this.#connection
    return {
      binaryType: 'buffer',
      open: (socket) => this.#opened(socket),
      handshake: (socket, isAuthorized, error) =>
        this.#shookHands(socket, isAuthorized ? error : (error ?? true)),
      data: (_, bytes) => connection.received(bytes),
      drain: () => connection.writable(),
      close: (_, error) => {
        connection.closed(error)
        this.#failed(this.#endpoint.secure ? 'tls' : 'unreachable', 'the connection was closed', error)
      },
      // What one of these threw: a socket's own errors come with `close`.
      error(socket, error) {
        connection.closed(error)
        socket.terminate()
      },
      connectError: (_, error) => this.#failed(failureOf(error), 'no connection was made', error),
    }
  }

  #opened(socket: Bun.Socket): void {
    this.#socket = socket
    if (this.#isOver) socket.terminate()
    else if (!this.#endpoint.secure) this.#ready(socket)
  }

  /** The runtime reports an untrusted peer and leaves it to us not to speak to it. */
  #shookHands(socket: Bun.Socket, error: unknown): void {
    if (this.#isOver) return
    if (!error && isCertifiedFor(this.#endpoint.hostname, socket)) {
      this.#ready(socket)
      return
    }
    this.#failed('tls', 'no secure connection was made', error ?? undefined)
    socket.terminate()
  }

  #ready(socket: Bun.Socket): void {
    this.#isOver = true
    this.#connection.opened(socket)
    this.#listener.connected(this.#connection)
  }

  #failed(reason: ConnectFailure, message: string, cause: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener.failed(new ConnectError(message, { reason, cause }))
  }
}

/** A name that cannot be looked up has one of the resolver's codes. */
const resolverCodes = /^(?:DNS_)?(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|ETIMEOUT)$/

function failureOf(error: unknown): ConnectFailure {
  const { code } = error as { code?: unknown }
  if (code === 'ECONNREFUSED') return 'refused'
  return typeof code === 'string' && resolverCodes.test(code) ? 'unresolved' : 'unreachable'
}
