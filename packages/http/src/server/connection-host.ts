import type { ByteBudget } from './byte-budget.ts'
import type { InboundRequest } from './inbound-request.ts'
import type { Reply } from './reply.ts'
import type { RefusedRequestError } from './request-head.ts'

/** The part of a socket that is used. */
export type ServerSocket = Pick<
  Bun.Socket,
  'write' | 'pause' | 'resume' | 'end' | 'shutdown' | 'terminate' | 'remoteAddress'
>

/** Responds to requests. Rejects only because of a fault of its own. */
export type Application = (request: InboundRequest) => Promise<Reply>

/** A response whose body is text. */
export type TextReply = Reply & { readonly body: string }

/** The server, as its connections need it. */
export interface ConnectionHost<Connection> {
  readonly application: Application
  readonly idleMs: number
  /** Budget of the bytes of bodies, of all connections together. */
  readonly bodyBudget: ByteBudget
  /** Each response says that its connection ends with it: the server is about to stop. */
  readonly isDraining: boolean
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Value of `Date`, now. */
  date(): string
  /** The response to bytes that are not a request, or to a request that the server cannot accept. */
  refusal(error: RefusedRequestError): TextReply
  /** The response when the application fails. */
  fault(error: unknown): Reply
  /** Calls `readAhead` of a connection in the next turn of the event loop. */
  defer(connection: Connection): void
  /** The connection serves a request. */
  worked(connection: Connection): void
  /** The connection has no request, and may bring one. */
  rested(connection: Connection): void
  closed(connection: Connection): void
}
