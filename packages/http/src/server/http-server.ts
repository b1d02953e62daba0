import { readFileSync } from 'node:fs'
import { type Clock, LinkedList, monotonicClock, systemClock } from '@tollgate/base'
import { acceptEstablished } from './accept-established.ts'
import { type ByteBudget, createByteBudget } from './byte-budget.ts'
import type { Application, ConnectionHost } from './connection-host.ts'
import { type ConnectionEntry, ConnectionTable } from './connection-table.ts'
import { listenOnInherited } from './inherited-sockets.ts'
import type { Reply } from './reply.ts'
import { RefusedRequestError } from './request-head.ts'
import { ServerConnection } from './server-connection.ts'

/** Descriptors that are kept free of callers: their calls need some for upstreams, and the process for files. */
const reservedShare = 1 / 4
const minReserved = 16

/**
 * The first file descriptor that no caller's connection may have. The system assigns the lowest free number, so the number
 * of a new descriptor shows how many are in use for any purpose.
 * @param limits text of `/proc/self/limits`
 */
export function callerDescriptorLimit(limits = ownLimits()): number {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  if (soft === undefined) return Number.POSITIVE_INFINITY
  const limit = Number(soft)
  return limit - Math.max(minReserved, Math.ceil(limit * reservedShare))
}

/** Empty where the system does not report limits. */
function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}

/** Address of a server, its limits, and the application that responds. */
export interface HttpServerOptions {
  readonly hostname: string
  readonly port: number
  /** Listening sockets that the process inherited, in the place of an address. None by default. */
  readonly inherited?: readonly number[]
  /** Returns whether another process accepts from inherited sockets once this server has refused. True by default. */
  readonly outlives?: () => boolean
  /** Longest silence of a connection whose turn it is to send, or to take what was sent. */
  readonly idleMs: number
  /** Bytes of bodies that all requests in flight may hold together; others get 503. No limit unless given. */
  readonly bodyBudget?: ByteBudget
  /** Returns whether many callers come from an address: such a proxy may have any number of connections. None by default. */
  readonly isProxy?: (address: string) => boolean
  /** Clock of deadlines. */
  readonly clock?: Clock
  readonly application: Application
  /** The response to bytes that are not a request. */
  readonly refusal: (error: RefusedRequestError) => Reply & { readonly body: string }
  /** The response when the application fails; also the place to log the fault. */
  readonly fault: (error: unknown) => Reply
}

/** A server that listens. */
export interface HttpServer {
  readonly port: number
  /** Connections that serve a request, or may still bring one; walks over all of them. */
  readonly serving: number
  /** Lets each response say, from now on, that its connection ends with it. Takes connections and requests as before. */
  drain(): void
  /**
   * Takes no more connections, and loses none that the system has established: a proxy takes a refused one to another server,
   * but a lost one may have carried a call. Resolves when new ones are refused.
   */
  refuse(): Promise<void>
  /**
   * Takes no more connections, and ends each after its current request; resolves when all have ended.
   * @param lingerMs how long an idle connection may still bring a request that was on its way, counted from its last use
   */
  stop(lingerMs?: number): Promise<void>
  /** Ends all connections, whatever they do. */
  cut(): void
}

const sweepMs = 1000

/** Serves HTTP/1.1 over plain sockets of the runtime's. Throws as its `listen` does. */
export function serveHttp(options: HttpServerOptions): HttpServer {
  const server = new Server(options)
  const { inherited = [], outlives = () => inherited.length > 0 } = options
  const listening = inherited.length === 0 ? [listen(options, server)] : adopt(inherited, options, server)
  const timer = setInterval(() => server.sweep(), sweepMs)
  timer.unref()
  const stopListening = () => {
    for (const { listener } of listening) listener.stop()
  }
  return {
    port: listening[0]?.port ?? 0,
    get serving() {
      return server.serving
    },
    drain: () => server.drain(),
    async refuse() {
      // The queue of an inherited socket outlives this process: the next one accepts what waits there.
      if (inherited.length === 0 || !outlives())
        for (const { listener, port } of listening) await acceptEstablished(listener, port)
      stopListening()
    },
    async stop(lingerMs = 0) {
      stopListening()
      await server.retire(lingerMs)
      clearInterval(timer)
    },
    cut: () => server.cut(),
  }
}

interface Listening {
  readonly listener: Bun.TCPSocketListener<ServerConnection>
  readonly port: number
}

function adopt(
  inherited: readonly number[],
  options: HttpServerOptions,
  server: Server,
): readonly Listening[] {
  return inherited.map((descriptor) => {
    // A port of the loopback interface that nobody knows, for the moment until the inherited socket takes its place.
    const { listener } = listen({ ...options, hostname: '127.0.0.1', port: 0 }, server)
    return { listener, port: listenOnInherited(listener, descriptor) }
  })
}

function listen(options: HttpServerOptions, server: Server): Listening {
  const listener = Bun.listen<ServerConnection>({
    hostname: options.hostname,
    port: options.port,
    // A caller may end its side as soon as it has sent its request, and still wait for the response.
    allowHalfOpen: true,
    socket: {
      binaryType: 'buffer',
      open: (socket) => server.connect(socket),
      data: (socket, bytes) => socket.data.received(bytes),
      drain: (socket) => socket.data.writable(),
      end: (socket) => socket.data.ended(),
      close: (socket) => socket.data.closed(),
      // What one of these threw: a socket's own errors come with `close`.
      error(socket, error) {
        options.fault(error)
        socket.terminate()
      },
    },
  })
  return { listener, port: listener.port }
}

class Server implements ConnectionHost<ServerConnection> {
  readonly application: Application
  readonly idleMs: number
  readonly refusal: ConnectionHost<ServerConnection>['refusal']
  readonly fault: ConnectionHost<ServerConnection>['fault']
  readonly bodyBudget: ByteBudget
  isDraining = false
  readonly #clock: Clock
  readonly #connections = new LinkedList<ServerConnection>()
  readonly #table: ConnectionTable<ServerConnection>
  readonly #empty = Promise.withResolvers<void>()
  #isStopped = false
  /** Connections whose callers sent requests ahead. */
  #deferred: ServerConnection[] = []
  #dateSecond = -1
  #date = ''

  constructor(options: HttpServerOptions) {
    this.application = options.application
    this.idleMs = options.idleMs
    this.refusal = options.refusal
    this.fault = options.fault
    this.bodyBudget = options.bodyBudget ?? createByteBudget(Number.POSITIVE_INFINITY)
    this.#clock = options.clock ?? monotonicClock
    this.#table = new ConnectionTable({ descriptorLimit: callerDescriptorLimit(), isProxy: options.isProxy })
  }

  now(): number {
    return this.#clock.now()
  }

  date(): string {
    const second = Math.floor(systemClock.now() / 1000)
    if (second !== this.#dateSecond) {
      this.#dateSecond = second
      this.#date = new Date(second * 1000).toUTCString()
    }
    return this.#date
  }

  connect(socket: Bun.Socket<ServerConnection>): void {
    const connection = new ServerConnection(socket, this)
    // First of all: a refusal closes the socket, whose listener looks for its connection.
    socket.data = connection
    this.#connections.add(connection)
    const entry = this.#table.enter(connection, connection.peerAddress, descriptorOf(socket))
    connection.entry = entry
    if (this.#makeRoom(entry)) this.#table.rested(entry, this.now())
    else connection.refuse(tooManyConnections())
  }

  /** Ends the connection that has been idle for longest where a new one finds no room. False when none is idle. */
  #makeRoom(entry: ConnectionEntry<ServerConnection>): boolean {
    const isBeyondShare = this.#table.exceedsShare(entry)
    if (!isBeyondShare && !this.#table.isOverfull) return true
    const now = this.now()
    const oldest = isBeyondShare ? this.#table.oldestIdleOf(entry, now) : this.#table.oldestIdle(now)
    oldest?.endIdle()
    return oldest !== undefined
  }

  rested({ entry }: ServerConnection): void {
    if (entry !== undefined) this.#table.rested(entry, this.now())
  }

  worked({ entry }: ServerConnection): void {
    if (entry !== undefined) this.#table.worked(entry)
  }

  defer(connection: ServerConnection): void {
    if (this.#deferred.length === 0) setImmediate(this.#readAhead)
    this.#deferred.push(connection)
  }

  /** Each has one request served, and then everybody else has a turn. */
  readonly #readAhead = (): void => {
    const deferred = this.#deferred
    this.#deferred = []
    for (const connection of deferred) connection.readAhead()
  }

  closed(connection: ServerConnection): void {
    this.#connections.remove(connection)
    const { entry } = connection
    connection.entry = undefined
    if (entry !== undefined) this.#table.left(entry)
    this.#resolveWhenEmpty()
  }

  sweep(): void {
    const now = this.#clock.now()
    for (const connection of this.#connections.members()) if (connection.dueAt <= now) connection.expired()
  }

  drain(): void {
    this.isDraining = true
  }

  retire(lingerMs: number): Promise<void> {
    this.drain()
    this.#isStopped = true
    for (const connection of this.#connections.members()) connection.retire(lingerMs)
    this.sweep()
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
    if (this.#isStopped && this.#connections.size === 0) this.#empty.resolve()
  }
}

/** The runtime's types leave it out. */
function descriptorOf(socket: Bun.Socket<ServerConnection>): number {
  return (socket as { readonly fd?: number }).fd ?? 0
}

function tooManyConnections(): RefusedRequestError {
  return new RefusedRequestError(503, 'Too many connections are open. Try again later')
}
