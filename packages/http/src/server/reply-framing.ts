import type { Reply } from './reply.ts'

/** How the end of a streamed body is known; an answer without a body ends with its head. */
export type StreamedFraming = 'chunked' | 'until-close' | 'none'

/** Whether the answer has no body, whatever the application gave (RFC 9110 §6.4.1). */
export function isBodiless(reply: Reply, method: string): boolean {
  return method === 'HEAD' || !mayHaveBody(reply)
}

function mayHaveBody({ status }: Reply): boolean {
  return status >= 200 && status !== 204 && status !== 304
}

/** The `Content-Length` line of an answer whose body is known, or nothing. */
export function lengthLine(reply: Reply, method: string, length: number): string {
  // What an answer to HEAD leaves out may be unknown; then its length is unknown as well.
  const hasLength = isBodiless(reply, method) ? method === 'HEAD' && length > 0 && mayHaveBody(reply) : true
  return hasLength ? `content-length: ${length}\r\n` : ''
}

/** @param isOld the request came in HTTP/1.0, which knows no chunks */
export function streamedFraming(reply: Reply, method: string, isOld: boolean): StreamedFraming {
  if (isBodiless(reply, method)) return 'none'
  return isOld ? 'until-close' : 'chunked'
}
