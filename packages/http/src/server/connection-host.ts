import type { ByteBudget } from './byte-budget.ts'
import type { InboundRequest } from './inbound-request.ts'
import type { Reply } from './reply.ts'
import type { RefusedRequestError } from './request-head.ts'

/** The part of a socket that is used. */
export type ServerSocket = Pick<
  Bun.Socket,
  'write' | 'pause' | 'resume' | 'end' | 'shutdown' | 'terminate' | 'remoteAddress'
>

/** What answers requests. Rejects by a fault of its own only. */
export type Application = (request: InboundRequest) => Promise<Reply>

/** A response whose body is text. */
export type TextReply = Reply & { readonly body: string }

/** What a connection needs of the server it belongs to. */
export interface ConnectionHost<Connection> {
  readonly application: Application
  readonly idleMs: number
  /** For the bytes of bodies, of all connections together. */
  readonly bodyBudget: ByteBudget
  /** No further request is taken on any connection. */
  readonly isStopping: boolean
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Value of `Date`, now. */
  date(): string
  /** The answer to what is no request, or cannot be taken. */
  refusal(error: RefusedRequestError): TextReply
  /** The response when there is none, because of a fault. */
  fault(error: unknown): Reply
  /** Calls `readAhead` of a connection in the next turn of the event loop. */
  defer(connection: Connection): void
  closed(connection: Connection): void
}
