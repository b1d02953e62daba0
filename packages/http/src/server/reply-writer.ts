import type { TextReply } from './connection-host.ts'
import { type Reply, replyHead, type StreamedBody } from './reply.ts'
import { isBodiless, lengthLine, streamedFraming } from './reply-framing.ts'
import { type ReplyChannel, StreamedReply } from './streamed-reply.ts'

/** The connection that a reply is written to. */
export interface ReplyTarget extends ReplyChannel {
  /** Value of `Date`. */
  readonly date: string
  /** It ends with this answer. */
  closes: boolean
  /** The rest of the request's body is not wanted any more. */
  discardBody(): void
}

/** The part of a request that decides how its answer is written. */
export interface RequestTraits {
  readonly method: string
  /** HTTP/1.0 */
  readonly isOld: boolean
}

/** Throws `TypeError` for headers that cannot be sent. */
export function writeBuffered(
  reply: Reply,
  body: Uint8Array,
  request: RequestTraits,
  target: ReplyTarget,
): void {
  const head = headOf(reply, lengthLine(reply, request.method, body.length), request, target)
  target.put(head, isBodiless(reply, request.method) ? [] : [body], '')
  target.discardBody()
  target.replied()
}

/** Throws `TypeError` for headers that cannot be sent. */
export function writeStreamed(
  reply: Reply,
  body: StreamedBody,
  request: RequestTraits,
  target: ReplyTarget,
): void {
  const framing = streamedFraming(reply, request.method, request.isOld)
  if (framing === 'until-close') target.closes = true
  const head = headOf(reply, framing === 'chunked' ? 'transfer-encoding: chunked\r\n' : '', request, target)
  body.pipe(new StreamedReply(head, framing, target))
}

/** What is no request is answered as one would be. */
const anyRequest: RequestTraits = { method: 'GET', isOld: false }

/** @param isPassing the same request may be served a little later */
export function writeRefusal(
  { status, headers, body }: TextReply,
  isPassing: boolean,
  target: ReplyTarget,
): void {
  const retryAfter = isPassing ? { 'retry-after': '1' } : undefined
  const reply = { status, headers: { ...headers, ...retryAfter }, body }
  writeBuffered(reply, Buffer.from(body), anyRequest, target)
}

function headOf(
  reply: Reply,
  length: string,
  { isOld }: RequestTraits,
  { closes, date }: ReplyTarget,
): string {
  return replyHead(reply, { length, date, connection: closes ? 'close' : isOld ? 'keep-alive' : '' })
}
