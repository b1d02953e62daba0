import { LinkedNode } from '@tollgate/base'
import { ConnectionLostError } from '../wire/body.ts'
import { OutputBuffer } from '../wire/output-buffer.ts'
import { BodyIntake } from './body-intake.ts'
import { CallerDeadline } from './caller-deadline.ts'
import type { ConnectionHost } from './connection-host.ts'
import { InboundRequest, type RequestSource } from './inbound-request.ts'
import type { Reply } from './reply.ts'
import { type ReplyTarget, writeStreamed, writeWhole } from './reply-writer.ts'
import { RefusedRequestError, type RequestHead } from './request-head.ts'
import { RequestReader } from './request-reader.ts'
import { Upgrade, type UpgradeHandler } from './upgrade.ts'

/** The part of a socket that is used. */
export type ServerSocket = Pick<
  Bun.Socket,
  'write' | 'pause' | 'resume' | 'end' | 'shutdown' | 'terminate' | 'remoteAddress'
>

/** Of requests that are sent before the last one was answered. */
const maxAheadBytes = 64 * 1024
const continueAnswer = 'HTTP/1.1 100 Continue\r\n\r\n'
const noBytes = new Uint8Array()
/** What is no request is answered as one would be. */
const anyRequest = { method: 'GET', isOld: false }

/** One caller's connection, serving one request at a time (HTTP/1.1, RFC 9112). */
export class ServerConnection extends LinkedNode implements RequestSource, ReplyTarget {
  readonly #host: ConnectionHost
  readonly #socket: ServerSocket
  readonly #output: OutputBuffer
  readonly #reader = new RequestReader()
  readonly #deadline: CallerDeadline
  #isClosed = false
  /** The caller sends nothing more; it may still read. */
  #isHalfClosed = false
  /** Bytes that the socket had taken when the caller ended its side. */
  #takenWhenHalfClosed = 0
  /** Nothing is read any more: what still comes is thrown away until the caller closes. */
  #isLeaving = false
  /** The connection ends with the present answer. */
  closes = false
  #isSocketPaused = false
  #isBodyPaused = false
  /** The request that is being served. */
  #request: InboundRequest | undefined
  readonly #body: BodyIntake
  #owesContinue = false
  #isReplying = false
  /** All of the answer has been given to `#output`. */
  #isAnswered = false
  #whenDrained: (() => void) | undefined
  /** Bytes behind the request that is being served: requests that were sent ahead. */
  #ahead: Buffer | undefined
  /** The host will have what was sent ahead read in the next turn of the event loop. */
  #isDeferred = false
  #upgrade: Upgrade | undefined

  constructor(socket: ServerSocket, host: ConnectionHost) {
    super()
    this.#socket = socket
    this.#output = new OutputBuffer(socket)
    this.#host = host
    this.#body = new BodyIntake(host.bodyBudget)
    this.#deadline = new CallerDeadline(host.now(), host.idleMs)
  }

  /** When it has been waited for long enough, by the host's clock. */
  get dueAt(): number {
    return this.#deadline.dueAt
  }

  get date(): string {
    return this.#host.date()
  }

  /** Whether a request is being received or answered. */
  get isServing(): boolean {
    return this.#request !== undefined
  }

  get peerAddress(): string {
    return this.#socket.remoteAddress ?? ''
  }

  received(bytes: Buffer): void {
    const request = this.#request
    if (this.#upgrade !== undefined) this.#upgrade.received(bytes)
    else if (this.#isLeaving) return
    else if (request === undefined && !this.#isDeferred) this.#readHead(bytes)
    else if (request !== undefined && this.#body.isOpen) this.#readBody(request, bytes)
    else this.#keepAhead(bytes)
  }

  /** The socket takes more. */
  writable(): void {
    if (this.#upgrade !== undefined) this.#upgrade.writable()
    else if (this.#output.isFlushed) return
    else if (!this.#output.flush()) this.#deadline.renew(this.#host.now())
    else this.#flushed()
  }

  /** The caller has ended its side. */
  ended(): void {
    const request = this.#request
    this.#isHalfClosed = true
    if (this.#upgrade !== undefined) this.#upgrade.ended()
    else if (this.#isLeaving) return
    else if (request === undefined) this.#endUnlessDeferred()
    else if (request.isComplete) this.#awaitSign(request)
    else this.#socket.terminate()
  }

  closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#host.closed(this)
    const request = this.#request
    this.#request = undefined
    this.#output.discard()
    this.#ahead = undefined
    this.#whenDrained = undefined
    this.#body.release()
    request?.gone(new ConnectionLostError('the caller hung up'))
    this.#upgrade?.closed()
  }

  /** It was waited for long enough. */
  expired(): void {
    if (
      this.#deadline.isHalfClosedFor(this.#host.now()) &&
      this.#output.takenBytes > this.#takenWhenHalfClosed
    )
      this.#deadline.isThere()
    else if (this.#request !== undefined || this.#isLeaving) this.#socket.terminate()
    else if (this.#reader.isPartial)
      this.#refuse(new RefusedRequestError(408, 'The request did not come whole in time'))
    else this.#end()
  }

  /** Ends it as soon as it has nothing to do. One that was handed over ends when its new owner ends it. */
  retire(): void {
    this.closes = true
    if (this.#request === undefined && this.#upgrade === undefined && !this.#isLeaving) this.#end()
  }

  /** Ends it with a refusal, before or instead of a request. */
  refuse(error: RefusedRequestError): void {
    this.#refuse(error)
    // Whether the caller reads it or not: what it holds is needed.
    this.#socket.end()
  }

  terminate(): void {
    this.#socket.terminate()
  }

  pause(): void {
    this.#isBodyPaused = true
    this.#turned()
    this.#controlFlow()
  }

  resume(): void {
    this.#isBodyPaused = false
    this.#turned()
    this.#controlFlow()
  }

  /** Nobody wants the rest of the body: the request is still to be answered, and that ends the connection. */
  destroy(): void {
    this.#body.close()
    this.closes = true
    this.#isLeaving = true
    this.resume()
  }

  discardBody(): void {
    if (this.#body.isOpen) this.destroy()
  }

  wanted(): void {
    if (!this.#owesContinue) return
    this.#owesContinue = false
    this.put(continueAnswer, [], '')
    this.#turned()
  }

  put(before: string, pieces: readonly Uint8Array[], after: string): boolean {
    if (this.#isClosed) return false
    this.#output.write(before, pieces, after)
    if (this.#output.isFlushed) return true
    this.#turned()
    return false
  }

  whenDrained(listener: () => void): void {
    this.#whenDrained = listener
    if (this.#output.isFlushed && !this.#isClosed) this.#tellDrained()
  }

  answered(): void {
    if (this.#isClosed) return
    this.#isAnswered = true
    if (this.#output.isFlushed) this.#finish()
  }

  breakOff(): void {
    if (this.#isClosed) return
    this.#output.discard()
    // Without chunks the end of the connection is the end of the body.
    if (this.#request?.headers.isOld === true) this.#socket.terminate()
    else this.#end()
  }

  allowSilence(ms: number): void {
    this.#deadline.allow(ms, this.#host.now())
  }

  /** The next turn of the event loop has come. */
  readAhead(): void {
    this.#isDeferred = false
    const ahead = this.#ahead
    this.#ahead = undefined
    if (ahead === undefined || this.#isClosed || this.#isLeaving) return
    this.#readHead(ahead)
    this.#controlFlow()
    if (this.#isHalfClosed && this.#request === undefined) this.#endUnlessDeferred()
  }

  #flushed(): void {
    if (this.#isAnswered) {
      this.#finish()
      return
    }
    this.#turned()
    this.#tellDrained()
    this.#controlFlow()
  }

  #tellDrained(): void {
    const listener = this.#whenDrained
    this.#whenDrained = undefined
    listener?.()
  }

  /** A hang-up looks the same as a caller that still reads: only what is written to it tells. */
  #awaitSign({ headers }: InboundRequest): void {
    this.#takenWhenHalfClosed = this.#output.takenBytes
    this.#deadline.halfClosed(this.#host.now(), headers.framing !== 0)
  }

  /** Whose turn it is may have changed. */
  #turned(): void {
    this.#deadline.turn(this.#waitsForCaller, this.#host.now())
  }

  get #waitsForCaller(): boolean {
    if (!this.#output.isFlushed || this.#request === undefined) return true
    return this.#body.isOpen && !this.#isBodyPaused && !this.#owesContinue
  }

  /** The socket is read while somebody has use for what comes. */
  #controlFlow(): void {
    const ahead = this.#body.isOpen ? undefined : this.#ahead
    const isAheadPaused = ahead !== undefined && (ahead.length > maxAheadBytes || !this.#output.isFlushed)
    const isPaused = this.#isBodyPaused || isAheadPaused
    if (isPaused === this.#isSocketPaused) return
    this.#isSocketPaused = isPaused
    if (isPaused) this.#socket.pause()
    else this.#socket.resume()
  }

  #readHead(bytes: Buffer): void {
    let request: InboundRequest | undefined
    try {
      request = this.#nextRequest(bytes)
    } catch (error) {
      this.#refuse(error)
    }
    if (request === undefined) return
    this.#request = request
    this.#turned()
    if (this.#isHalfClosed) this.ended()
    this.#serve(request).then(this.#answer, this.#answerFault)
  }

  #serve(request: InboundRequest): Promise<Reply> {
    try {
      return this.#host.application(request)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** `undefined` while its head has not come whole. */
  #nextRequest(bytes: Buffer): InboundRequest | undefined {
    const wasPartial = this.#reader.isPartial
    const read = this.#reader.read(bytes)
    if (read !== undefined) return this.#begin(read.head, read.rest)
    // A head has its time from its first byte on, however slowly the rest comes.
    if (this.#reader.isPartial && !wasPartial) this.#deadline.renew(this.#host.now())
    return undefined
  }

  #begin(head: RequestHead, rest: Buffer | undefined): InboundRequest {
    const request = new InboundRequest(head, this)
    const { framing } = head
    if (head.closes) this.closes = true
    if (framing === 0) {
      this.#bodyCompleted(request, rest)
    } else {
      this.#body.open(framing)
      this.#owesContinue = head.expectsContinue
      if (rest !== undefined) this.#takeBody(request, rest)
    }
    return request
  }

  #readBody(request: InboundRequest, bytes: Buffer): void {
    if (this.#output.isFlushed) this.#deadline.renew(this.#host.now())
    try {
      this.#takeBody(request, bytes)
    } catch (error) {
      if (error instanceof RefusedRequestError) this.#abandon(request, error)
      else this.#bodyFailed(request, error as Error)
    }
  }

  #bodyFailed(request: InboundRequest, error: Error): void {
    this.destroy()
    request.failed(error)
  }

  /** The application is told that its caller is gone; the caller, why its request is not served. */
  #abandon(request: InboundRequest, refusal: RefusedRequestError): void {
    if (this.#isReplying) {
      this.#socket.terminate()
      return
    }
    this.#request = undefined
    request.gone(new ConnectionLostError(refusal.message))
    this.#refuse(refusal)
  }

  #takeBody(request: InboundRequest, bytes: Buffer): void {
    this.#owesContinue = false
    const rest = this.#body.take(request, bytes)
    if (!this.#body.isOpen) this.#bodyCompleted(request, rest)
  }

  #bodyCompleted(request: InboundRequest, rest: Buffer | undefined): void {
    this.#turned()
    request.completed()
    if (rest !== undefined) this.#keepAhead(rest)
  }

  #keepAhead(bytes: Buffer): void {
    this.#ahead = this.#ahead === undefined ? bytes : Buffer.concat([this.#ahead, bytes])
    this.#controlFlow()
  }

  readonly #answer = (reply: Reply): void => {
    const request = this.#request
    if (request === undefined) return
    try {
      this.#reply(reply, request)
    } catch (error) {
      this.#host.fault(error)
      this.#socket.terminate()
    }
  }

  readonly #answerFault = (error: unknown): void => this.#answer(this.#host.fault(error))

  #reply(reply: Reply, request: InboundRequest): void {
    const { body } = reply
    this.#owesContinue = false
    this.#isReplying = true
    if (!request.isComplete || this.#host.isStopping) this.closes = true
    if (typeof body === 'string') writeWhole(reply, Buffer.from(body), request.headers, this)
    else if (body instanceof Uint8Array) writeWhole(reply, body, request.headers, this)
    else if ('pipe' in body) writeStreamed(reply, body, request.headers, this)
    else this.#handOver(request, body.upgrade)
  }

  #handOver(request: InboundRequest, handler: UpgradeHandler): void {
    if (!request.isComplete) throw new TypeError('a request whose body is not whole cannot be upgraded')
    const received = this.#ahead ?? noBytes
    this.#ahead = undefined
    this.#request = undefined
    this.#body.release()
    this.#controlFlow()
    this.#deadline.turn(false, this.#host.now())
    this.#upgrade = new Upgrade(this.#socket, received, handler)
    if (this.#isHalfClosed) this.#upgrade.ended()
  }

  /** The answer is on its way: whatever was sent behind the request is next, in a turn of its own. */
  #finish(): void {
    const isWhole = this.#request?.isComplete === true
    this.#request = undefined
    this.#isReplying = false
    this.#isAnswered = false
    this.#body.close()
    this.#owesContinue = false
    this.#body.release()
    this.#deadline.reset(this.#host.now())
    if (this.closes) this.#leave(isWhole)
    else if (this.#ahead !== undefined) this.#deferAhead()
    else if (this.#isHalfClosed) this.#end()
  }

  #deferAhead(): void {
    this.#isDeferred = true
    this.#host.defer(this)
  }

  /** What is no request, or finds no room, is answered, and nothing after it is read. */
  #refuse(error: unknown): void {
    this.#body.close()
    this.closes = true
    this.#isLeaving = true
    const refusal = refusalOf(error)
    const { status, headers, body } = this.#host.refusal(refusal)
    const retryLater = refusal.status === 503 ? { 'retry-after': '1' } : undefined
    const reply = { status, headers: { ...headers, ...retryLater }, body }
    writeWhole(reply, Buffer.from(body), anyRequest, this)
  }

  /** A caller that is still sending would not read its answer, were the connection closed under it. */
  #leave(isRead: boolean): void {
    if (isRead) {
      this.#end()
      return
    }
    this.#leaving()
    this.#socket.shutdown()
  }

  #endUnlessDeferred(): void {
    if (!this.#isDeferred) this.#end()
  }

  #end(): void {
    this.#leaving()
    this.#socket.end()
  }

  #leaving(): void {
    this.#isLeaving = true
    this.#ahead = undefined
    this.#reader.forget()
    this.#body.release()
    this.#deadline.linger(this.#host.now())
    this.resume()
  }
}

function refusalOf(error: unknown): RefusedRequestError {
  if (error instanceof RefusedRequestError) return error
  return new RefusedRequestError(400, 'The request body is not valid chunked data', { cause: error })
}
