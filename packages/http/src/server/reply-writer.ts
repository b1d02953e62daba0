import type { TextReply } from './connection-host.ts'
import { type Reply, replyHead, type StreamedBody } from './reply.ts'
import { isBodiless, lengthLine, streamedFraming } from './reply-framing.ts'
import { type AnswerWriter, StreamedAnswer } from './streamed-answer.ts'

/** The connection that a reply is written to. */
export interface ReplyTarget extends AnswerWriter {
  /** Value of `Date`. */
  readonly date: string
  /** It ends with this answer. */
  closes: boolean
  /** The rest of the request's body is not wanted any more. */
  discardBody(): void
}

/** The part of a request that decides how its answer is written. */
export interface AskedBy {
  readonly method: string
  /** HTTP/1.0 */
  readonly isOld: boolean
}

/** Throws `TypeError` for headers that cannot be sent. */
export function writeWhole(reply: Reply, body: Uint8Array, asked: AskedBy, target: ReplyTarget): void {
  const head = headOf(reply, lengthLine(reply, asked.method, body.length), asked, target)
  target.put(head, isBodiless(reply, asked.method) ? [] : [body], '')
  target.discardBody()
  target.answered()
}

/** Throws `TypeError` for headers that cannot be sent. */
export function writeStreamed(reply: Reply, body: StreamedBody, asked: AskedBy, target: ReplyTarget): void {
  const framing = streamedFraming(reply, asked.method, asked.isOld)
  if (framing === 'until-close') target.closes = true
  const head = headOf(reply, framing === 'chunked' ? 'transfer-encoding: chunked\r\n' : '', asked, target)
  body.pipe(new StreamedAnswer(head, framing, target))
}

/** What is no request is answered as one would be. */
const anyRequest: AskedBy = { method: 'GET', isOld: false }

/** @param isPassing the same request may be served a little later */
export function writeRefusal(
  { status, headers, body }: TextReply,
  isPassing: boolean,
  target: ReplyTarget,
): void {
  const retryAfter = isPassing ? { 'retry-after': '1' } : undefined
  const reply = { status, headers: { ...headers, ...retryAfter }, body }
  writeWhole(reply, Buffer.from(body), anyRequest, target)
}

function headOf(reply: Reply, length: string, { isOld }: AskedBy, { closes, date }: ReplyTarget): string {
  return replyHead(reply, { length, date, connection: closes ? 'close' : isOld ? 'keep-alive' : '' })
}
