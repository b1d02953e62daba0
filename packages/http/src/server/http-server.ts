import type { Clock } from '@tollgate/base'
import { LinkedList } from '@tollgate/base'
import type { Reply } from './reply.ts'
import type { RefusedRequestError } from './request-head.ts'
import { type Application, type ConnectionHost, ServerConnection } from './server-connection.ts'

export interface HttpServerOptions {
  readonly hostname: string
  readonly port: number
  /** Longest silence of a connection whose turn it is to send, or to take what was sent. */
  readonly idleMs: number
  readonly clock: Clock
  readonly application: Application
  /** The answer to what is no request. */
  readonly refusal: (error: RefusedRequestError) => Reply & { readonly body: string }
  /** The answer when there is none, because of a fault: a chance to tell the log. */
  readonly fault: (error: unknown) => Reply
}

/** A server that listens. */
export interface HttpServer {
  readonly port: number
  /** Requests that are being received or answered now; a walk over all connections. */
  readonly serving: number
  /** Takes no more connections and no more requests; resolves when all connections have ended. */
  stop(): Promise<void>
  /** Ends all connections, whatever they do. */
  cut(): void
}

const sweepMs = 1000

/** Serves HTTP/1.1 over plain sockets of the runtime's. Throws as its `listen` does. */
export function serveHttp(options: HttpServerOptions): HttpServer {
  const server = new Server(options)
  const listener = Bun.listen<ServerConnection>({
    hostname: options.hostname,
    port: options.port,
    socket: {
      binaryType: 'buffer',
      open(socket) {
        socket.data = server.connect(socket)
      },
      data: (socket, bytes) => socket.data.received(bytes),
      drain: (socket) => socket.data.drained(),
      close: (socket) => socket.data.closed(),
      // What one of these threw: a socket's own errors come with `close`.
      error(socket, error) {
        options.fault(error)
        socket.terminate()
      },
    },
  })
  const timer = setInterval(() => server.sweep(), sweepMs)
  timer.unref()
  return {
    port: listener.port,
    get serving() {
      return server.serving
    },
    async stop() {
      listener.stop()
      await server.retire()
      clearInterval(timer)
    },
    cut: () => server.cut(),
  }
}

class Server implements ConnectionHost {
  readonly application: Application
  readonly idleMs: number
  readonly refusal: ConnectionHost['refusal']
  readonly fault: ConnectionHost['fault']
  isStopping = false
  readonly #clock: Clock
  readonly #connections = new LinkedList<ServerConnection>()
  readonly #empty = Promise.withResolvers<void>()
  #dateSecond = -1
  #date = ''

  constructor({ application, idleMs, refusal, fault, clock }: HttpServerOptions) {
    this.application = application
    this.idleMs = idleMs
    this.refusal = refusal
    this.fault = fault
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  date(): string {
    const second = Math.floor(this.#clock.now() / 1000)
    if (second !== this.#dateSecond) {
      this.#dateSecond = second
      this.#date = new Date(second * 1000).toUTCString()
    }
    return this.#date
  }

  connect(socket: Bun.Socket<ServerConnection>): ServerConnection {
    const connection = new ServerConnection(socket, this)
    this.#connections.add(connection)
    if (this.isStopping) connection.retire()
    return connection
  }

  closed(connection: ServerConnection): void {
    this.#connections.remove(connection)
    this.#resolveWhenEmpty()
  }

  sweep(): void {
    const now = this.#clock.now()
    for (const connection of this.#connections.members()) if (connection.dueAt <= now) connection.expired()
  }

  retire(): Promise<void> {
    this.isStopping = true
    for (const connection of this.#connections.members()) connection.retire()
    this.#resolveWhenEmpty()
    return this.#empty.promise
  }

  get serving(): number {
    return this.#connections.members().filter(({ isServing }) => isServing).length
  }

  cut(): void {
    for (const connection of this.#connections.members()) connection.terminate()
  }

  #resolveWhenEmpty(): void {
    if (this.isStopping && this.#connections.size === 0) this.#empty.resolve()
  }
}
