import { ConnectionLostError, MalformedMessageError } from '../wire/body.ts'
import { type BodyDecoder, createBodyDecoder } from '../wire/body-decoder.ts'
import type { BodySource } from '../wire/incoming-body.ts'
import type { HttpRequest } from './http-message.ts'
import { RequestWriter, type SentPart } from './request-writer.ts'
import { IncomingResponse, parseResponseHead, type ResponseHead, versionPrefix } from './response-head.ts'

/** The part of a socket that is used. */
export type ClientSocket = Pick<Bun.Socket, 'write' | 'pause' | 'resume' | 'terminate'>

/** One request that waits for the head of its response. */
export interface WaitingRequest {
  readonly request: HttpRequest
  responded(response: IncomingResponse, head: ResponseHead): void
  failed(error: Error, sent: SentPart): void
  /** The connection had served others before and ended without a byte of a response. */
  foundStale(error: Error, sent: SentPart): void
}

/** The owner of connections, notified when a connection becomes free or closes. */
export interface ConnectionPool {
  /** The connection may serve another request. */
  released(connection: Connection): void
  closed(connection: Connection): void
}

const headEnd = Buffer.from('\r\n\r\n')
const bareHeadEnd = Buffer.from('\n\n')
const maxHeadBytes = 64 * 1024
/** Most interim responses (1xx) before the final one; a server that sends more may never end. */
const maxInterimResponses = 16

/** One connection to an upstream, serving one request at a time (HTTP/1.1, RFC 9112). */
export class Connection implements BodySource {
  /** Time from which the connection is too old for another request; the pool sets it. */
  usableUntil = 0
  /** Time of opening; the pool sets it. */
  openedAt = 0
  keepAliveSeconds: number | undefined
  readonly #pool: ConnectionPool
  #socket: ClientSocket | undefined
  #writer: RequestWriter | undefined
  #isClosed = false
  #isUsed = false
  #waiting: WaitingRequest | undefined
  /** Bytes of an incomplete head. */
  #headBytes: Buffer | undefined
  #interimResponses = 0
  #head: ResponseHead | undefined
  #decoder: BodyDecoder | undefined
  #response: IncomingResponse | undefined

  constructor(pool: ConnectionPool) {
    this.#pool = pool
  }

  /** The socket is ready for requests. */
  opened(socket: ClientSocket): void {
    this.#socket = socket
    this.#writer = new RequestWriter(socket)
  }

  /** Writes a request; only for a connection that is open and idle. */
  send(waiting: WaitingRequest): void {
    this.#waiting = waiting
    this.#interimResponses = 0
    this.#writer?.write(waiting.request, this.#requestFailed)
  }

  /** Returns the part of a request, which waits for its response, that has gone out. */
  sentOf(waiting: WaitingRequest): SentPart {
    return this.#waiting === waiting ? this.#sent : 'nothing'
  }

  get #sent(): SentPart {
    return this.#writer?.sent ?? 'nothing'
  }

  /** Gives up on a request, and with it on the connection; nothing, when it serves that request no more. */
  abort(waiting: WaitingRequest): void {
    if (this.#waiting !== waiting) return
    this.#fail(new ConnectionLostError('the exchange was aborted'))
    this.destroy()
  }

  pause(): void {
    this.#socket?.pause()
  }

  resume(): void {
    this.#socket?.resume()
  }

  destroy(): void {
    this.#socket?.terminate()
  }

  /** The socket takes more. */
  writable(): void {
    this.#writer?.flush()
  }

  received(bytes: Buffer): void {
    // No request is waiting: these bytes must not become the response to the next one.
    if (this.#waiting === undefined) {
      this.destroy()
      return
    }
    try {
      const rest = this.#head === undefined ? this.#readHead(bytes) : bytes
      if (rest !== undefined) this.#readBody(rest)
    } catch (error) {
      this.#fail(error as Error)
      this.destroy()
    }
  }

  closed(error: Error | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#endOfBytes(error)
    if (this.#socket !== undefined) this.#pool.closed(this)
  }

  #endOfBytes(error: Error | undefined): void {
    const waiting = this.#waiting
    if (waiting === undefined) return
    if (this.#head?.framing === 'until-close' && error === undefined) {
      const response = this.#response
      this.#detach()
      response?.completed()
    } else if (this.#isUsed && this.#head === undefined && this.#headBytes === undefined) {
      const sent = this.#sent
      this.#detach()
      waiting.foundStale(lost(error), sent)
    } else {
      this.#fail(lost(error))
    }
  }

  /** The source of the body failed: half a request is on its way, so the connection can be of no more use. */
  readonly #requestFailed = (error: Error): void => {
    this.#fail(error)
    this.destroy()
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
      const method = this.#waiting?.request.method
      const head = parseResponseHead(left.toString('latin1', 0, end), method)
      left = left.subarray(end + headEnd.length)
      if (head.status === 101) throw new MalformedMessageError('the answer changes the protocol')
      if (head.status >= 200) {
        this.#begin(head)
        return left
      }
      this.#interimResponses += 1
      if (this.#interimResponses > maxInterimResponses)
        throw new MalformedMessageError('the answer has too many interim answers')
    }
  }

  #begin(head: ResponseHead): void {
    this.#headBytes = undefined
    this.#head = head
    this.#decoder = createBodyDecoder(head.framing)
    this.#response = new IncomingResponse(head, this)
    this.#waiting?.responded(this.#response, head)
  }

  #readBody(bytes: Buffer): void {
    const response = this.#response
    const decoder = this.#decoder
    if (response === undefined || decoder === undefined) return
    const taken = decoder.push(bytes, response.pieces)
    if (decoder.done) this.#complete(response, taken < bytes.length)
    else response.arrived(taken)
  }

  #complete(response: IncomingResponse, hasSurplus: boolean): void {
    const isReusable = this.#head?.keepsAlive === true && !hasSurplus && this.#writer?.isFinished === true
    this.keepAliveSeconds = this.#head?.keepAliveSeconds
    this.#detach()
    response.completed()
    if (isReusable) {
      this.#isUsed = true
      this.#pool.released(this)
    } else {
      this.destroy()
    }
  }

  #fail(error: Error): void {
    const waiting = this.#waiting
    const response = this.#response
    const sent = this.#sent
    this.#detach()
    if (response === undefined) waiting?.failed(error, sent)
    else response.failed(error)
  }

  #detach(): void {
    this.#writer?.stop()
    this.#waiting = undefined
    this.#headBytes = undefined
    this.#head = undefined
    this.#decoder = undefined
    this.#response = undefined
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
