import { freeBytes } from '../wire/free-bytes.ts'
import { OutputBuffer } from '../wire/output-buffer.ts'
import type { TextReply } from './connection-host.ts'
import { type BodySink, type Reply, replyHead, type StreamedBody } from './reply.ts'

/** Mark of the end of a streamed body; a response without a body ends with its head. */
type StreamedFraming = 'chunked' | 'until-close' | 'none'

/** Returns whether the response has no body, whatever the application gave (RFC 9110 §6.4.1). */
function isBodiless(reply: Reply, method: string): boolean {
  return method === 'HEAD' || !mayHaveBody(reply)
}

function mayHaveBody({ status }: Reply): boolean {
  return status >= 200 && status !== 204 && status !== 304
}

/** The `Content-Length` line of a response whose body is known, or nothing. */
function lengthLine(reply: Reply, method: string, length: number): string {
  // The length of the body that a response to HEAD leaves out may be unknown.
  const hasLength = isBodiless(reply, method) ? method === 'HEAD' && length > 0 && mayHaveBody(reply) : true
  return hasLength ? `content-length: ${length}\r\n` : ''
}

/** @param isOld the request came in HTTP/1.0, which has no chunks */
function streamedFraming(reply: Reply, method: string, isOld: boolean): StreamedFraming {
  if (isBodiless(reply, method)) return 'none'
  return isOld ? 'until-close' : 'chunked'
}

/** The connection that a response is written to. */
interface ReplyChannel {
  /** Writes all of it at once, texts in Latin-1. False when the caller does not keep up, or is gone. */
  put(before: string, pieces: readonly Uint8Array[], after: string): boolean
  whenDrained(listener: () => void): void
  /** All of the response has been put. */
  replied(): void
  breakOff(): void
}

/** A response that is written piece by piece, in chunks for callers that know them (RFC 9112 §7.1). */
class StreamedReply implements BodySink {
  readonly #writer: ReplyChannel
  readonly #framing: StreamedFraming
  /** Goes out with the first bytes. */
  #head: string
  #isOver = false

  constructor(head: string, framing: StreamedFraming, writer: ReplyChannel) {
    this.#head = head
    this.#framing = framing
    this.#writer = writer
  }

  write(pieces: readonly Uint8Array[]): boolean {
    if (this.#isOver) return false
    let size = 0
    for (const piece of pieces) size += piece.length
    // A chunk without bytes would end the body.
    if (size === 0) return this.#writer.put('', [], '')
    return this.#put(`${size.toString(16)}\r\n`, pieces, '\r\n')
  }

  whenDrained(listener: () => void): void {
    if (!this.#isOver) this.#writer.whenDrained(listener)
  }

  end(last: string): void {
    if (this.#isOver) return
    if (last === '') {
      this.#put('0\r\n\r\n', [], '')
    } else {
      const bytes = Buffer.from(last)
      this.#put(`${bytes.length.toString(16)}\r\n`, [bytes], '\r\n0\r\n\r\n')
    }
    this.#isOver = true
    this.#writer.replied()
  }

  abort(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#writer.breakOff()
  }

  #put(before: string, pieces: readonly Uint8Array[], after: string): boolean {
    const head = this.#head
    this.#head = ''
    if (this.#framing === 'chunked') return this.#writer.put(head + before, pieces, after)
    return this.#writer.put(head, this.#framing === 'none' ? [] : pieces, '')
  }
}

/** The connection that a reply is written to. */
interface ReplyTarget extends ReplyChannel {
  /** Value of `Date`. */
  readonly date: string
  /** It ends with this response. */
  closes: boolean
  /** The rest of the request's body is not wanted any more. */
  discardBody(): void
  /** Returns the memory of the body once it is on its way. */
  freesWhenFlushed(body: Uint8Array): void
}

/** The part of a request that decides how its response is written. */
interface RequestTraits {
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
  if (reply.isBodyFreed === true) target.freesWhenFlushed(body)
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

/** The traits under which the server responds to bytes that are not a request. */
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

/** The connection that receives the responses. */
export interface ReplyOwner {
  /** Value of `Date`. */
  readonly date: string
  /** Announces that everything may be on its way now, or no longer. */
  flushChanged(): void
  /** The connection is broken. */
  terminate(): void
  /** The caller took some of what it is behind with. */
  progressed(): void
  /** The buffered response is on its way. */
  finished(): void
  breakOff(): void
  discardBody(): void
}

/** The writing half of a connection. */
export class ReplyOutput implements ReplyTarget {
  /** The connection ends with the current response. */
  closes = false
  /** The response has begun. */
  isReplying = false
  readonly #owner: ReplyOwner
  readonly #buffer: OutputBuffer
  #isClosed = false
  /** All of the response has been given to the buffer. */
  #isReplied = false
  #whenDrained: (() => void) | undefined
  /** Bytes that nobody else reads. */
  #freed: Uint8Array | undefined

  constructor(socket: Pick<Bun.Socket, 'write'>, owner: ReplyOwner) {
    this.#owner = owner
    this.#buffer = new OutputBuffer(socket)
  }

  get date(): string {
    return this.#owner.date
  }

  get isFlushed(): boolean {
    return this.#buffer.isFlushed
  }

  get takenBytes(): number {
    return this.#buffer.takenBytes
  }

  put(before: string, pieces: readonly Uint8Array[], after: string): boolean {
    if (this.#isClosed) return false
    this.#buffer.write(before, pieces, after)
    if (this.#buffer.isFlushed) return true
    if (this.#buffer.isBroken) this.#owner.terminate()
    else this.#owner.flushChanged()
    return false
  }

  whenDrained(listener: () => void): void {
    this.#whenDrained = listener
    if (this.#buffer.isFlushed && !this.#isClosed) this.#tellDrained()
  }

  replied(): void {
    if (this.#isClosed) return
    this.#isReplied = true
    if (this.#buffer.isFlushed) this.#finish()
  }

  freesWhenFlushed(body: Uint8Array): void {
    this.#freed = body
  }

  #finish(): void {
    if (this.#freed !== undefined) freeBytes(this.#freed)
    this.#freed = undefined
    this.#owner.finished()
  }

  breakOff(): void {
    if (this.#isClosed) return
    this.#buffer.discard()
    this.#owner.breakOff()
  }

  discardBody(): void {
    this.#owner.discardBody()
  }

  /** The socket takes more. */
  writable(): void {
    if (this.#buffer.isFlushed) return
    const isFlushed = this.#buffer.flush()
    if (this.#buffer.isBroken) {
      this.#owner.terminate()
    } else if (!isFlushed) {
      this.#owner.progressed()
    } else if (this.#isReplied) {
      this.#finish()
    } else {
      this.#owner.flushChanged()
      this.#tellDrained()
    }
  }

  /** The next response is to come. */
  reset(): void {
    this.isReplying = false
    this.#isReplied = false
  }

  /** The connection is closed. */
  close(): void {
    this.#isClosed = true
    this.#freed = undefined
    this.#buffer.discard()
    this.#whenDrained = undefined
  }

  #tellDrained(): void {
    const listener = this.#whenDrained
    this.#whenDrained = undefined
    listener?.()
  }
}
