import { LinkedNode } from '@tollgate/base'
import { ConnectionLostError } from '../wire/body.ts'
import { type BodyDecoder, createBodyDecoder } from '../wire/body-decoder.ts'
import { OutputBuffer } from '../wire/output-buffer.ts'
import { InboundRequest, type RequestSource } from './inbound-request.ts'
import { type Reply, replyHead } from './reply.ts'
import { parseRequestHead, RefusedRequestError, type RequestHead } from './request-head.ts'
import { type AnswerWriter, StreamedAnswer } from './streamed-answer.ts'

/** The part of a socket that is used. */
export type ServerSocket = Pick<
  Bun.Socket,
  'write' | 'pause' | 'resume' | 'end' | 'shutdown' | 'terminate' | 'remoteAddress'
>

/** What answers requests. Rejects by a fault of its own only. */
export type Application = (request: InboundRequest) => Promise<Reply>

/** What a connection needs of the server it belongs to. */
export interface ConnectionHost {
  readonly application: Application
  readonly idleMs: number
  /** No further request is taken on any connection. */
  readonly isStopping: boolean
  now(): number
  /** Value of `Date`, now. */
  date(): string
  /** The answer to what is no request. */
  refusal(error: RefusedRequestError): Reply & { readonly body: string }
  /** The answer when there is none, because of a fault. */
  fault(error: unknown): Reply
  closed(connection: ServerConnection): void
}

const headEnd = Buffer.from('\r\n\r\n')
const bareHeadEnd = Buffer.from('\n\n')
const maxHeadBytes = 32 * 1024
/** Of requests that are sent before the last one was answered. */
const maxWaitingBytes = 64 * 1024
/** How long a caller may take to read its answer and close, before the connection is closed under it. */
const lingerMs = 5000
const never = Number.POSITIVE_INFINITY
const returnByte = 0x0d
const feedByte = 0x0a
const continueAnswer = 'HTTP/1.1 100 Continue\r\n\r\n'

/** One caller's connection, serving one request at a time (HTTP/1.1, RFC 9112). */
export class ServerConnection extends LinkedNode implements RequestSource, AnswerWriter {
  /** When it has been waited for long enough, by the host's clock. */
  dueAt: number
  readonly #host: ConnectionHost
  readonly #socket: ServerSocket
  #patienceMs: number
  #isClosed = false
  #isPaused = false
  /** Nothing is read any more: what still comes is thrown away until the caller closes. */
  #isLeaving = false
  /** The request that is being served. */
  #request: InboundRequest | undefined
  #decoder: BodyDecoder | undefined
  /** Bytes behind the request that is being served, or of a head that has not come whole. */
  #waiting: Buffer | undefined
  #owesContinue = false
  /** The connection ends with the answer. */
  #closes = false
  /** All of the answer has been written, as far as we are concerned. */
  #isAnswered = false
  readonly #output: OutputBuffer
  #whenDrained: (() => void) | undefined

  constructor(socket: ServerSocket, host: ConnectionHost) {
    super()
    this.#socket = socket
    this.#output = new OutputBuffer(socket)
    this.#host = host
    this.#patienceMs = host.idleMs
    this.dueAt = host.now() + host.idleMs
  }

  /** Whether a request is being received or answered. */
  get isServing(): boolean {
    return this.#request !== undefined
  }

  get peerAddress(): string {
    return this.#socket.remoteAddress ?? ''
  }

  received(bytes: Buffer): void {
    if (this.#isLeaving) return
    const request = this.#request
    if (request === undefined) this.#readHead(bytes)
    else if (this.#decoder === undefined) this.#keep(bytes)
    else this.#readBody(request, this.#decoder, bytes)
  }

  drained(): void {
    if (this.#output.isFlushed) return
    if (!this.#output.flush()) {
      this.#renew()
    } else if (this.#isAnswered) {
      this.#finish()
    } else {
      this.#turned()
      this.#tellTaken()
    }
  }

  closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#host.closed(this)
    const request = this.#request
    this.#request = undefined
    this.#output.discard()
    this.#waiting = undefined
    this.#whenDrained = undefined
    request?.gone(new ConnectionLostError('the caller hung up'))
  }

  /** It was waited for long enough. */
  expired(): void {
    if (this.#request !== undefined || this.#isLeaving) this.#socket.terminate()
    else if (this.#waiting === undefined) this.#end()
    else this.#refuse(new RefusedRequestError(408, 'The request did not come whole in time'))
  }

  /** Ends it as soon as it has nothing to do. */
  retire(): void {
    this.#closes = true
    if (this.#request === undefined && !this.#isLeaving) this.#end()
  }

  terminate(): void {
    this.#socket.terminate()
  }

  pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    this.#turned()
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#turned()
    this.#socket.resume()
  }

  /** Nobody wants the rest of the body: the request is still to be answered, and that ends the connection. */
  destroy(): void {
    this.#decoder = undefined
    this.#closes = true
    this.#isLeaving = true
    this.#turned()
    this.resume()
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
    if (this.#output.isFlushed && !this.#isClosed) this.#tellTaken()
  }

  #tellTaken(): void {
    const listener = this.#whenDrained
    this.#whenDrained = undefined
    listener?.()
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
    this.#patienceMs = ms
    if (this.dueAt !== never) this.#renew()
  }

  /** The caller has done something: its time begins anew. */
  #renew(): void {
    this.dueAt = this.#host.now() + this.#patienceMs
  }

  /** Whose turn it is may have changed. While it is ours nothing is due; time that runs for the caller goes on. */
  #turned(): void {
    if (!this.#waitsForCaller) this.dueAt = never
    else if (this.dueAt === never) this.#renew()
  }

  get #waitsForCaller(): boolean {
    if (!this.#output.isFlushed || this.#request === undefined) return true
    return this.#decoder !== undefined && !this.#isPaused && !this.#owesContinue
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
    const waiting = this.#waiting
    const all = waiting === undefined ? bytes : Buffer.concat([waiting, bytes])
    this.#waiting = undefined
    const start = lineBreaksBefore(all)
    const end = all.indexOf(headEnd, start)
    if (end - start > maxHeadBytes) throw tooLongHead()
    if (end !== -1) {
      const head = parseRequestHead(all.toString('latin1', start, end))
      return this.#begin(head, all, end + headEnd.length)
    }
    refuseBeginning(all, start)
    if (start < all.length) {
      this.#waiting = all.subarray(start)
      // A head has its time from its first byte on, however slowly the rest comes.
      if (waiting === undefined) this.#renew()
    }
    return undefined
  }

  #begin(head: RequestHead, bytes: Buffer, bodyStart: number): InboundRequest {
    const request = new InboundRequest(head, this)
    const { framing } = head
    const rest = bodyStart < bytes.length ? bytes.subarray(bodyStart) : undefined
    if (head.closes) this.#closes = true
    if (framing === 0) {
      this.#bodyCompleted(request, rest)
    } else {
      this.#owesContinue = head.expectsContinue
      const decoder = createBodyDecoder(framing)
      this.#decoder = decoder
      if (rest !== undefined) this.#decode(request, decoder, rest)
    }
    return request
  }

  #readBody(request: InboundRequest, decoder: BodyDecoder, bytes: Buffer): void {
    if (this.#output.isFlushed) this.#renew()
    try {
      this.#decode(request, decoder, bytes)
    } catch (error) {
      this.destroy()
      request.failed(error as Error)
    }
  }

  #decode(request: InboundRequest, decoder: BodyDecoder, bytes: Buffer): void {
    this.#owesContinue = false
    const taken = decoder.push(bytes, request.pieces)
    if (!decoder.done) request.arrived(taken)
    else this.#bodyCompleted(request, taken < bytes.length ? bytes.subarray(taken) : undefined)
  }

  #bodyCompleted(request: InboundRequest, rest: Buffer | undefined): void {
    this.#decoder = undefined
    this.#turned()
    request.completed()
    if (rest !== undefined) this.#keep(rest)
  }

  /** Bytes of requests to come. */
  #keep(bytes: Buffer): void {
    this.#waiting = this.#waiting === undefined ? bytes : Buffer.concat([this.#waiting, bytes])
    if (this.#waiting.length > maxWaitingBytes) this.pause()
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

  #reply(reply: Reply, { headers: { isOld }, method, isComplete }: InboundRequest): void {
    const { body } = reply
    this.#owesContinue = false
    if (!isComplete || this.#host.isStopping) this.#closes = true
    if (typeof body === 'string') {
      this.#replyWhole(reply, Buffer.from(body), method)
    } else if (body instanceof Uint8Array) {
      this.#replyWhole(reply, body, method)
    } else {
      const framing = isBodiless(reply, method) ? 'none' : isOld ? 'until-close' : 'chunked'
      const head = this.#headOf(reply, framing === 'chunked' ? 'transfer-encoding: chunked\r\n' : '')
      body.pipe(new StreamedAnswer(head, framing, this))
    }
  }

  #replyWhole(reply: Reply, body: Uint8Array, method: string): void {
    const isSilent = isBodiless(reply, method)
    // What an answer to HEAD leaves out may be unknown; then its length is unknown as well.
    const hasLength = isSilent ? method === 'HEAD' && body.length > 0 && mayHaveBody(reply) : true
    const head = this.#headOf(reply, hasLength ? `content-length: ${body.length}\r\n` : '')
    this.put(head, isSilent ? [] : [body], '')
    // The rest of a body that nobody read is nobody's any more.
    if (this.#decoder !== undefined) this.destroy()
    this.answered()
  }

  #headOf(reply: Reply, length: string): string {
    return replyHead(reply, { length, closes: this.#closes, date: this.#host.date() })
  }

  /** The answer is on its way: whatever was sent behind the request is next. */
  #finish(): void {
    const isWhole = this.#request?.isComplete === true
    this.#request = undefined
    this.#isAnswered = false
    this.#patienceMs = this.#host.idleMs
    this.#decoder = undefined
    this.#owesContinue = false
    if (this.#closes) {
      this.#leave(isWhole)
      return
    }
    this.#renew()
    const waiting = this.#waiting
    this.#waiting = undefined
    this.resume()
    if (waiting !== undefined) this.#readHead(waiting)
  }

  /** What is no request is answered, and nothing after it is read. */
  #refuse(error: unknown): void {
    this.#decoder = undefined
    this.#closes = true
    this.#isLeaving = true
    const { status, headers, body } = this.#host.refusal(refusalOf(error))
    this.#replyWhole({ status, headers, body }, Buffer.from(body), 'GET')
  }

  /** A caller that is still sending would not read its answer, were the connection closed under it. */
  #leave(isRead: boolean): void {
    if (isRead) {
      this.#end()
      return
    }
    this.#leaving()
    this.resume()
    this.#socket.shutdown()
  }

  #end(): void {
    this.#leaving()
    this.#socket.end()
  }

  #leaving(): void {
    this.#isLeaving = true
    this.#waiting = undefined
    this.dueAt = this.#host.now() + lingerMs
  }
}

/** Whether an answer of that status is one that may have a body. */
function mayHaveBody({ status }: Reply): boolean {
  return status >= 200 && status !== 204 && status !== 304
}

function isBodiless(reply: Reply, method: string): boolean {
  return method === 'HEAD' || !mayHaveBody(reply)
}

function refusalOf(error: unknown): RefusedRequestError {
  if (error instanceof RefusedRequestError) return error
  return new RefusedRequestError(400, 'The request body is not valid chunked data', { cause: error })
}

/** Some programs send a line break behind a body (RFC 9112 §2.2). */
function lineBreaksBefore(bytes: Buffer): number {
  let start = 0
  while (bytes[start] === returnByte || bytes[start] === feedByte) start += 1
  return start
}

function tooLongHead(): RefusedRequestError {
  return new RefusedRequestError(431, 'The request has too long a head')
}

const methodUnit = /[\w!#$%&'*+.^`|~-]/

/** Refuses bytes that can be seen not to become a head, instead of waiting for its end. */
function refuseBeginning(bytes: Buffer, start: number): void {
  if (bytes.length - start > maxHeadBytes) throw tooLongHead()
  const first = bytes[start]
  const isNoMethod = first !== undefined && !methodUnit.test(String.fromCharCode(first))
  if (isNoMethod || bytes.includes(bareHeadEnd, start))
    throw new RefusedRequestError(400, 'The request is not HTTP/1.1')
}
