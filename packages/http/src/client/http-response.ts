import type { ReadableBody } from '../wire/body.ts'

/** An answer whose head has come. A body longer than what `buffered` may read has its connection closed. */
export interface HttpResponse extends ReadableBody {
  readonly status: number
  /** A header field by its name in lower case. */
  header(name: string): string | null
  headers(): Record<string, string>
}

/** A request on its way. */
export interface HttpExchange {
  /** Rejects when no answer comes, whatever the reason. */
  readonly response: Promise<HttpResponse>
  /**
   * The server may have carried the request out: it has gone out whole, or nobody knows how far it got. Stays true, also when
   * no answer comes.
   */
  readonly isSent: boolean
  /** Closes the connection at once, unless the answer has come whole. What still waits for it throws. */
  abort(): void
}

/** Why no connection was made: nothing of the request was sent in any of these cases. */
export type ConnectFailure = 'timeout' | 'unresolved' | 'refused' | 'unreachable' | 'tls' | 'aborted'

interface ConnectErrorOptions extends ErrorOptions {
  readonly reason?: ConnectFailure
}

/** No connection was made, or none that can be trusted. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
  readonly reason: ConnectFailure

  constructor(message: string, { reason = 'unreachable', ...options }: ConnectErrorOptions = {}) {
    super(message, options)
    this.reason = reason
  }
}
