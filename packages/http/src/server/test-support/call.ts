import { type ByteBudget, createByteBudget } from '../byte-budget.ts'
import type { Application, ConnectionHost } from '../connection-host.ts'
import type { Reply } from '../reply.ts'
import type { RefusedRequestError } from '../request-head.ts'
import { ServerConnection } from '../server-connection.ts'
import { FakeSocket } from './fake-socket.ts'
import { type ParsedResponse, parseResponses } from './responses.ts'

export const idleMs = 60_000

/** A connection over a fake socket, with a clock that stands still, and a server around it. */
export class Call implements ConnectionHost<ServerConnection> {
  readonly idleMs = idleMs
  isDraining = false
  readonly application: Application
  readonly bodyBudget: ByteBudget
  readonly socket = new FakeSocket()
  readonly connection: ServerConnection
  /** Errors of the application. */
  readonly faults: unknown[] = []
  /** Number of times that the connection said that it is closed. */
  closings = 0
  /** True when the connection said last that it has no request. */
  isIdle = true
  #now = 1_700_000_000_000

  constructor(application: Application, bodyBudget = createByteBudget(Number.POSITIVE_INFINITY)) {
    this.application = application
    this.bodyBudget = bodyBudget
    this.connection = new ServerConnection(this.socket, this)
  }

  now(): number {
    return this.#now
  }

  date(): string {
    return 'Tue, 14 Nov 2023 22:13:20 GMT'
  }

  refusal({ status, message }: RefusedRequestError): Reply & { readonly body: string } {
    return { status, headers: { 'content-type': 'text/plain' }, body: message }
  }

  fault(error: unknown): Reply {
    this.faults.push(error)
    return textReply('fault', 500)
  }

  defer(connection: ServerConnection): void {
    deferred += 1
    setImmediate(() => {
      deferred -= 1
      connection.readAhead()
    })
  }

  worked(): void {
    this.isIdle = false
  }

  rested(): void {
    this.isIdle = true
  }

  closed(): void {
    this.closings += 1
  }

  /** The caller sends this, texts in Latin-1, and whatever is to be done at once is done. */
  async send(...pieces: readonly (string | Uint8Array)[]): Promise<void> {
    for (const piece of pieces)
      this.connection.received(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(piece))
    await settled()
  }

  /** The caller takes everything that is left. */
  async take(): Promise<void> {
    do {
      while (this.socket.isFull) this.connection.writable()
      await settled()
    } while (this.socket.isFull)
  }

  /** Lets time pass, with the server looking after it. */
  async pass(milliseconds: number): Promise<void> {
    this.#now += milliseconds
    if (this.connection.dueAt <= this.#now) this.connection.expired()
    await settled()
  }

  get text(): string {
    return this.socket.sent.toString('latin1')
  }

  /** @param methods of the requests that were answered, where they matter */
  responses(...methods: readonly string[]): readonly ParsedResponse[] {
    return parseResponses(this.socket.sent, methods)
  }

  get statuses(): readonly number[] {
    return this.responses().map(({ status }) => status)
  }

  get bodies(): readonly string[] {
    return this.responses().map(({ body }) => body)
  }
}

export function textReply(body: string, status = 200): Reply {
  return { status, headers: {}, body }
}

/** Everything that waits for nothing but its turn has had it. */
export async function settled(): Promise<void> {
  do {
    await nextTurn()
  } while (deferred > 0)
}

/** Everything that waits for this turn of the event loop has had it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Connections that wait for their next turn. */
let deferred = 0
