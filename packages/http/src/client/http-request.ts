import type { HttpTarget } from './http-target.ts'

/**
 * A body that is made while it is sent. It is pulled no faster than the socket takes it, and by one request only: a piece
 * must not change until the next one is pulled.
 */
export interface StreamedRequestBody {
  readonly source: AsyncIterable<Uint8Array>
  /** Bytes in all; unless it is known, the body is sent in chunks. A source of another length fails the request. */
  readonly length?: number
}

export type RequestBody = string | Uint8Array | readonly Uint8Array[] | StreamedRequestBody

export interface HttpRequest {
  readonly target: HttpTarget
  /** A token in capitals, as `GET`. `CONNECT` is not supported. */
  readonly method: string
  /** Bytes must not change until the answer has come. */
  readonly body?: RequestBody | undefined
}

export function isStreamed(body: RequestBody | undefined): body is StreamedRequestBody {
  return typeof body === 'object' && 'source' in body
}

/** Methods that may be sent again when nobody knows whether they were carried out (RFC 9110 §9.2.2). */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
