import type { ReadableBody } from '../wire/body.ts'

/** An answer whose head has come. A body longer than what `whole` may read has its connection cut. */
export interface HttpAnswer extends ReadableBody {
  readonly status: number
  /** A header field by its name in lower case. */
  header(name: string): string | null
  headers(): Record<string, string>
}

/** A request on its way. */
export interface HttpExchange {
  /** Rejects when no answer comes, whatever the reason. */
  readonly answer: Promise<HttpAnswer>
  /** Cuts the connection at once, unless the answer has come whole. What still waits for it throws. */
  abort(): void
}

/** No connection was made, or none that can be trusted. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
}
