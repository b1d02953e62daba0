import { LinkedNode } from '@tollgate/base'
import { ConnectionLostError } from '../wire/body.ts'
import type { AccountBodyBudget } from './byte-budget.ts'
import type { ConnectionHost, ServerSocket } from './connection-host.ts'
import type { ConnectionEntry } from './connection-table.ts'
import { ConnectionDeadline, MinBodyRate } from './deadlines.ts'
import type { InboundRequest, Releasable, RequestSource } from './inbound-request.ts'
import type { Reply } from './reply.ts'
import { ReplyOutput, type ReplyOwner, writeBuffered, writeRefusal, writeStreamed } from './reply-output.ts'
import { RefusedRequestError, refusalOf } from './request-head.ts'
import { RequestReceiver } from './request-receiver.ts'
import { Upgrade, type UpgradeHandler } from './upgrade.ts'

/** Limit of the bytes that a caller may send ahead of the current response. */
const maxAheadBytes = 64 * 1024
const continueResponse = 'HTTP/1.1 100 Continue\r\n\r\n'
const noBytes = new Uint8Array()

/** One caller's connection, serving one request at a time (HTTP/1.1, RFC 9112). */
export class ServerConnection extends LinkedNode implements RequestSource, ReplyOwner {
  /** Its entry in its host's table; absent before and after. */
  entry: ConnectionEntry<ServerConnection> | undefined
  readonly #host: ConnectionHost<ServerConnection>
  readonly #socket: ServerSocket
  readonly #output: ReplyOutput
  readonly #receiver: RequestReceiver
  readonly #deadline: ConnectionDeadline
  readonly #bodyRate: MinBodyRate
  #isClosed = false
  /** The caller sends nothing more; it may still read. */
  #isHalfClosed = false
  /** The connection discards further bytes until the caller closes. */
  #isLeaving = false
  #isSocketPaused = false
  #isBodyPaused = false
  /** The current request. */
  #request: InboundRequest | undefined
  /** The host calls `readAhead` in the next turn of the event loop. */
  #isDeferred = false
  #upgrade: Upgrade | undefined

  constructor(socket: ServerSocket, host: ConnectionHost<ServerConnection>) {
    super()
    this.#socket = socket
    this.#output = new ReplyOutput(socket, this)
    this.#host = host
    this.#receiver = new RequestReceiver(host.bodyBudget, this)
    this.#deadline = new ConnectionDeadline(host, host.idleMs)
    this.#bodyRate = new MinBodyRate(host)
  }

  /** End of the caller's time to send or read, by the host's clock. */
  get dueAt(): number {
    return Math.min(this.#deadline.dueAt, this.#bodyRate.dueAt)
  }

  get date(): string {
    return this.#host.date()
  }

  /** True when a request is in progress, or may still come. */
  get isServing(): boolean {
    return this.#request !== undefined || this.#isIdle
  }

  get #isIdle(): boolean {
    const isOver = this.#isClosed || this.#isLeaving || this.#upgrade !== undefined
    return this.#request === undefined && !isOver
  }

  get peerAddress(): string {
    return this.#socket.remoteAddress ?? ''
  }

  /** Reads heads and bodies from what a caller sent, and serves one request after the other. @step */
  received(bytes: Buffer): void {
    const request = this.#request
    if (this.#upgrade !== undefined) this.#upgrade.received(bytes)
    else if (this.#isLeaving) return
    else if (request === undefined && !this.#isDeferred) this.#readHead(bytes)
    else if (request !== undefined && this.#receiver.isBodyOpen) this.#readBody(request, bytes)
    else this.#keepAhead(bytes)
  }

  /** The socket takes more. */
  writable(): void {
    if (this.#upgrade !== undefined) this.#upgrade.writable()
    else this.#output.writable()
  }

  /** The caller has ended its side. */
  ended(): void {
    const request = this.#request
    this.#isHalfClosed = true
    if (this.#upgrade !== undefined) this.#upgrade.ended()
    else if (this.#isLeaving) return
    else if (request?.isComplete === false) this.#socket.terminate()
    else if (request !== undefined)
      // A hang-up looks the same as a caller that still reads: only a write shows the difference.
      this.#deadline.halfClosed(this.#output.takenBytes, this.#graceOf(request))
    else if (!this.#isDeferred) this.#end()
  }

  closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#host.closed(this)
    const request = this.#request
    const isWorkedOn = request?.isComplete === true && !this.#output.isReplying
    this.#request = undefined
    this.#output.close()
    if (isWorkedOn) this.#receiver.stopReading()
    else this.#receiver.stop()
    request?.disconnected(new ConnectionLostError('the caller hung up'))
    this.#upgrade?.closed()
  }

  /** The caller's time has run out. */
  expired(): void {
    const request = this.#request
    if (request !== undefined && this.#receiver.isBodyOpen && this.#bodyRate.dueAt <= this.#host.now()) {
      this.#abandon(request, new RefusedRequestError(408, 'The request body came too slowly'))
      return
    }
    if (this.#deadline.stillReads(this.#output.takenBytes)) return
    if (request !== undefined || this.#isLeaving) this.#socket.terminate()
    else if (this.#receiver.isHeadPartial)
      this.#refuse(new RefusedRequestError(408, 'The request did not come whole in time'))
    else this.#end()
  }

  /**
   * Ends the connection after its current request. An upgraded connection ends when its new owner ends it.
   * @param lingerMs how long a connection that the caller may use again waits for a request that is on its way
   */
  retire(lingerMs: number): void {
    if (lingerMs > 0) this.#deadline.limitIdle(lingerMs, this.#isIdle)
    else {
      this.#output.closes = true
      if (this.#isIdle) this.#end()
    }
  }

  /** Ends the connection with a refusal, before or instead of a request. */
  refuse(error: RefusedRequestError): void {
    this.#refuse(error)
    // Does not wait for the caller to read it: the server needs the connection's resources.
    this.#socket.end()
  }

  /** Makes room for another connection, at once: one that waits for its caller to close as well would go on to take it. */
  endIdle(): void {
    this.#host.worked(this)
    this.#socket.terminate()
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

  /** Discards the rest of the body. The request still gets its response, which ends the connection. */
  destroy(): void {
    this.#receiver.closeBody()
    this.#output.closes = true
    this.#isLeaving = true
    this.resume()
  }

  discardBody(): void {
    if (this.#receiver.isBodyOpen) this.destroy()
  }

  wanted(): void {
    if (!this.#receiver.owesContinue) return
    this.#receiver.owesContinue = false
    this.#output.put(continueResponse, [], '')
    this.#turned()
  }

  flushChanged(): void {
    this.#turned()
    this.#controlFlow()
  }

  progressed(): void {
    this.#deadline.renew()
  }

  breakOff(): void {
    // Without chunks the end of the connection is the end of the body.
    if (this.#request?.headers.isOld === true) this.#socket.terminate()
    else this.#end()
  }

  allowSilence(ms: number): void {
    this.#deadline.allow(ms)
  }

  countAgainst(share: AccountBodyBudget): boolean {
    return this.#receiver.countAgainst(share)
  }

  releaseBytes(bytes: number): void {
    this.#receiver.releaseBytes(bytes)
  }

  releaseAtEnd(held: Releasable): void {
    this.#receiver.releaseAtEnd(held)
  }

  /** Reads the bytes that the caller sent ahead, in the next turn of the event loop. */
  readAhead(): void {
    this.#isDeferred = false
    const ahead = this.#receiver.takeAhead()
    if (ahead === undefined || this.#isClosed || this.#isLeaving) return
    this.#readHead(ahead)
    this.#controlFlow()
    if (this.#isIdle && !this.#isDeferred) this.#host.rested(this)
    if (this.#isHalfClosed && this.#request === undefined && !this.#isDeferred) this.#end()
  }

  /** Requests that cost money have a body; a response in progress soon writes, which shows whether its caller is gone. */
  #graceOf({ headers }: InboundRequest): 'short' | 'long' {
    return headers.framing === 0 && !this.#output.isReplying ? 'long' : 'short'
  }

  /** Looks anew whose turn it is. */
  #turned(): void {
    this.#deadline.turn(this.#waitsForCaller)
    this.#bodyRate.reading(this.#request !== undefined && this.#waitsForBody)
  }

  get #waitsForCaller(): boolean {
    return !this.#output.isFlushed || this.#request === undefined || this.#waitsForBody
  }

  get #waitsForBody(): boolean {
    return this.#receiver.isBodyOpen && !this.#isBodyPaused && !this.#receiver.owesContinue
  }

  /** Reads the socket only while the body or the next request can take the bytes. */
  #controlFlow(): void {
    const ahead = this.#receiver.isBodyOpen ? 0 : this.#receiver.aheadBytes
    const isAheadPaused = ahead > maxAheadBytes || (ahead > 0 && !this.#output.isFlushed)
    const isPaused = this.#isBodyPaused || isAheadPaused
    if (isPaused === this.#isSocketPaused) return
    this.#isSocketPaused = isPaused
    if (isPaused) this.#socket.pause()
    else this.#socket.resume()
  }

  #readHead(bytes: Buffer): void {
    const wasPartial = this.#receiver.isHeadPartial
    let request: InboundRequest | undefined
    try {
      request = this.#receiver.next(bytes)
    } catch (error) {
      this.#refuse(error)
    }
    // A head has its time from its first byte on, however slowly the rest comes.
    if (this.#receiver.isHeadPartial && !wasPartial) this.#deadline.renew()
    if (request !== undefined) this.#begin(request)
  }

  #begin(request: InboundRequest): void {
    this.#request = request
    this.#host.worked(this)
    this.#bodyRate.reset()
    if (request.headers.closes) this.#output.closes = true
    this.flushChanged()
    if (this.#isHalfClosed) this.ended()
    this.#serve(request).then(this.#sendReply, this.#sendFault)
  }

  #serve(request: InboundRequest): Promise<Reply> {
    try {
      return this.#host.application(request)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #readBody(request: InboundRequest, bytes: Buffer): void {
    if (this.#output.isFlushed) this.#deadline.renew()
    this.#bodyRate.came(bytes.length)
    try {
      this.#receiver.takeBody(request, bytes)
      this.flushChanged()
    } catch (error) {
      if (error instanceof RefusedRequestError) this.#abandon(request, error)
      else this.#bodyFailed(request, error as Error)
    }
  }

  #bodyFailed(request: InboundRequest, error: Error): void {
    this.destroy()
    request.failed(error)
  }

  /** Reports to the application that its caller is gone, and to the caller why its request fails. */
  #abandon(request: InboundRequest, refusal: RefusedRequestError): void {
    if (this.#output.isReplying) {
      this.#socket.terminate()
      return
    }
    this.#request = undefined
    request.disconnected(new ConnectionLostError(refusal.message))
    this.#refuse(refusal)
  }

  #keepAhead(bytes: Buffer): void {
    this.#receiver.keepAhead(bytes)
    this.#controlFlow()
  }

  readonly #sendReply = (reply: Reply): void => {
    const request = this.#request
    if (request === undefined) {
      // Its caller is gone, and the application no longer holds its body.
      this.#receiver.finish()
      return
    }
    try {
      this.#reply(reply, request)
    } catch (error) {
      this.#host.fault(error)
      this.#socket.terminate()
    }
  }

  readonly #sendFault = (error: unknown): void => this.#sendReply(this.#host.fault(error))

  #reply(reply: Reply, request: InboundRequest): void {
    const { body } = reply
    this.#receiver.owesContinue = false
    this.#output.isReplying = true
    if (!request.isComplete || this.#host.isDraining) this.#output.closes = true
    if (typeof body === 'string') writeBuffered(reply, Buffer.from(body), request.headers, this.#output)
    else if (body instanceof Uint8Array) writeBuffered(reply, body, request.headers, this.#output)
    else if ('pipe' in body) writeStreamed(reply, body, request.headers, this.#output)
    else this.#handOver(request, body.upgrade)
  }

  #handOver(request: InboundRequest, handler: UpgradeHandler): void {
    if (!request.isComplete) throw new TypeError('a request whose body is not whole cannot be upgraded')
    const received = this.#receiver.takeAhead() ?? noBytes
    this.#receiver.finish()
    this.#request = undefined
    this.#controlFlow()
    this.#deadline.turn(false)
    this.#upgrade = new Upgrade(this.#socket, received, handler)
    if (this.#isHalfClosed) this.#upgrade.ended()
  }

  /** The response is on its way. Requests that the caller sent ahead follow in a turn of their own. */
  finished(): void {
    const isComplete = this.#request?.isComplete === true
    this.#request = undefined
    this.#output.reset()
    this.#receiver.finish()
    this.#deadline.reset()
    if (this.#output.closes) {
      this.#end(isComplete)
    } else if (this.#receiver.aheadBytes > 0) {
      this.#isDeferred = true
      this.#host.defer(this)
    } else if (this.#isHalfClosed) {
      this.#end()
    } else {
      this.#host.rested(this)
    }
  }

  /** Refuses bytes that are not a request, or a request over a limit, and reads nothing after it. */
  #refuse(error: unknown): void {
    this.#receiver.closeBody()
    this.#output.closes = true
    this.#isLeaving = true
    const refusal = refusalOf(error)
    writeRefusal(this.#host.refusal(refusal), refusal.status === 503, this.#output)
  }

  /**
   * Stops reading, and writes only the bytes that are already on their way.
   * @param isRead the caller has nothing more to send. Closing the connection under a caller that is still sending would lose
   * the response
   */
  #end(isRead = true): void {
    this.#isLeaving = true
    this.#receiver.stop()
    this.#deadline.linger()
    this.resume()
    if (isRead) this.#socket.end()
    else this.#socket.shutdown()
  }
}
