import { ConnectionLostError, MalformedMessageError } from '../wire/body.ts'
import { type BodyDecoder, createBodyDecoder } from '../wire/body-decoder.ts'
import type { BodySource } from '../wire/incoming-body.ts'
import { type AnswerHead, parseAnswerHead, versionPrefix } from './answer-head.ts'
import { IncomingAnswer } from './incoming-answer.ts'

/** The part of a socket that is used. */
export type ClientSocket = Pick<Bun.Socket, 'write' | 'pause' | 'resume' | 'terminate'>

/** One request that waits for the head of its answer. */
export interface WaitingRequest {
  /** ASCII; together everything up to the value of `Content-Length`. */
  readonly target: { readonly sharedHead: string; readonly ownHead: string }
  readonly body: string
  answered(answer: IncomingAnswer, head: AnswerHead): void
  failed(error: Error): void
  /** The connection had served others before and ended without a byte of an answer. */
  foundStale(error: Error): void
}

/** Whoever keeps connections, told what becomes of them. */
export interface ConnectionKeeper {
  /** It may serve another request. */
  released(connection: Connection): void
  closed(connection: Connection): void
}

const headEnd = Buffer.from('\r\n\r\n')
const bareHeadEnd = Buffer.from('\n\n')
const maxHeadBytes = 64 * 1024
/** Longer requests are encoded before they are written, so that what a socket did not take is known in bytes. */
const longRequest = 64 * 1024

/** One connection to an upstream, serving one request at a time (HTTP/1.1, RFC 9112). */
export class Connection implements BodySource {
  /** When it is too old to be used again; set by whoever keeps it. */
  idleUntil = 0
  keepAliveSeconds: number | undefined
  readonly #keeper: ConnectionKeeper
  #socket: ClientSocket | undefined
  #isClosed = false
  #isUsed = false
  #request: WaitingRequest | undefined
  #unsent: Buffer | undefined
  /** Bytes of a head that has not come whole. */
  #headBytes: Buffer | undefined
  #head: AnswerHead | undefined
  #decoder: BodyDecoder | undefined
  #answer: IncomingAnswer | undefined

  constructor(keeper: ConnectionKeeper) {
    this.#keeper = keeper
  }

  /** The socket is ready for requests. */
  opened(socket: ClientSocket): void {
    this.#socket = socket
  }

  /** Writes a request; only for a connection that is open and idle. */
  send(request: WaitingRequest): void {
    const { target, body } = request
    const bodyBytes = Buffer.byteLength(body)
    this.#request = request
    const text = `${target.sharedHead}${target.ownHead}${bodyBytes}\r\n\r\n${body}`
    if (text.length > longRequest) {
      this.#write(Buffer.from(text))
      return
    }
    const written = this.#socket?.write(text) ?? -1
    if (written < text.length - body.length + bodyBytes) this.#keepUnsent(Buffer.from(text), written)
  }

  /** Gives up on a request, and with it on the connection; nothing, when it serves that request no more. */
  abort(request: WaitingRequest): void {
    if (this.#request !== request) return
    this.#fail(new ConnectionLostError('the exchange was given up'))
    this.cut()
  }

  pause(): void {
    this.#socket?.pause()
  }

  resume(): void {
    this.#socket?.resume()
  }

  cut(): void {
    this.#socket?.terminate()
  }

  drained(): void {
    if (this.#unsent !== undefined) this.#write(this.#unsent)
  }

  received(bytes: Buffer): void {
    // Nobody asked: whatever it is, it must not become the answer to the next request.
    if (this.#request === undefined) {
      this.cut()
      return
    }
    try {
      const rest = this.#head === undefined ? this.#readHead(bytes) : bytes
      if (rest !== undefined) this.#readBody(rest)
    } catch (error) {
      this.#fail(error as Error)
      this.cut()
    }
  }

  closed(error: Error | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#endOfBytes(error)
    if (this.#socket !== undefined) this.#keeper.closed(this)
  }

  #endOfBytes(error: Error | undefined): void {
    if (this.#request === undefined) return
    if (this.#head?.framing === 'until-close' && error === undefined) {
      const answer = this.#answer
      this.#detach()
      answer?.completed()
    } else if (this.#isUsed && this.#head === undefined && this.#headBytes === undefined) {
      const request = this.#request
      this.#detach()
      request.foundStale(lost(error))
    } else {
      this.#fail(lost(error))
    }
  }

  #write(bytes: Buffer): void {
    this.#keepUnsent(bytes, this.#socket?.write(bytes) ?? -1)
  }

  #keepUnsent(bytes: Buffer, written: number): void {
    this.#unsent = written < bytes.length ? bytes.subarray(Math.max(0, written)) : undefined
  }

  /** Reads heads until one is final; returns the bytes after it, `undefined` while it is not whole. */
  #readHead(bytes: Buffer): Buffer | undefined {
    let left = this.#headBytes === undefined ? bytes : Buffer.concat([this.#headBytes, bytes])
    for (;;) {
      const end = left.indexOf(headEnd)
      if (end > maxHeadBytes) throw new MalformedMessageError('the answer has too long a head')
      if (end === -1) {
        refuseBeginning(left)
        this.#headBytes = left
        return undefined
      }
      const head = parseAnswerHead(left.toString('latin1', 0, end))
      left = left.subarray(end + headEnd.length)
      if (head.status === 101) throw new MalformedMessageError('the answer changes the protocol')
      if (head.status >= 200) {
        this.#begin(head)
        return left
      }
    }
  }

  #begin(head: AnswerHead): void {
    this.#headBytes = undefined
    this.#head = head
    this.#decoder = createBodyDecoder(head.framing)
    this.#answer = new IncomingAnswer(head, this)
    this.#request?.answered(this.#answer, head)
  }

  #readBody(bytes: Buffer): void {
    const answer = this.#answer
    const decoder = this.#decoder
    if (answer === undefined || decoder === undefined) return
    const taken = decoder.push(bytes, answer.pieces)
    if (decoder.done) this.#complete(answer, taken < bytes.length)
    else answer.arrived(taken)
  }

  #complete(answer: IncomingAnswer, hasSurplus: boolean): void {
    const isReusable = this.#head?.keepsAlive === true && !hasSurplus && this.#unsent === undefined
    this.keepAliveSeconds = this.#head?.keepAliveSeconds
    this.#detach()
    answer.completed()
    if (isReusable) {
      this.#isUsed = true
      this.#keeper.released(this)
    } else {
      this.cut()
    }
  }

  #fail(error: Error): void {
    const request = this.#request
    const answer = this.#answer
    this.#detach()
    if (answer === undefined) request?.failed(error)
    else answer.failed(error)
  }

  #detach(): void {
    this.#request = undefined
    this.#headBytes = undefined
    this.#head = undefined
    this.#decoder = undefined
    this.#answer = undefined
  }
}

function lost(cause: Error | undefined): ConnectionLostError {
  return new ConnectionLostError('the connection was closed', { cause })
}

/** Refuses bytes that can be seen not to become a head, instead of waiting for its end. */
function refuseBeginning(bytes: Buffer): void {
  const start = bytes.toString('latin1', 0, versionPrefix.length)
  if (!versionPrefix.startsWith(start) || bytes.length > maxHeadBytes || bytes.includes(bareHeadEnd))
    throw new MalformedMessageError('the answer has no head')
}
