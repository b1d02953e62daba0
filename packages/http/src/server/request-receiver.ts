import { type BodyDecoder, createBodyDecoder } from '../wire/body-decoder.ts'
import type { AccountBodyBudget, ByteBudget } from './byte-budget.ts'
import { InboundRequest, type Releasable, type RequestSource } from './inbound-request.ts'
import { parseRequestHead, RefusedRequestError, type RequestHead } from './request-head.ts'

/** A head, and the bytes behind it. */
interface ReadRequest {
  readonly head: RequestHead
  readonly rest: Buffer | undefined
}

const headEnd = Buffer.from('\r\n\r\n')
const bareHeadEnd = Buffer.from('\n\n')
const maxHeadBytes = 32 * 1024
const returnByte = 0x0d
const feedByte = 0x0a

/** Finds request heads in the bytes of a connection. */
class RequestReader {
  /** Bytes of an incomplete head. */
  #partial: Buffer | undefined

  /** A head has begun to come. */
  get isPartial(): boolean {
    return this.#partial !== undefined
  }

  /** Returns `undefined` while the head is incomplete. Throws `RefusedRequestError`. */
  read(bytes: Buffer): ReadRequest | undefined {
    const all = this.#partial === undefined ? bytes : Buffer.concat([this.#partial, bytes])
    this.#partial = undefined
    const start = lineBreaksBefore(all)
    const end = all.indexOf(headEnd, start)
    if (end - start > maxHeadBytes) throw tooLongHead()
    if (end !== -1) {
      const head = parseRequestHead(all.toString('latin1', start, end))
      const bodyStart = end + headEnd.length
      return { head, rest: bodyStart < all.length ? all.subarray(bodyStart) : undefined }
    }
    refuseBeginning(all, start)
    if (start < all.length) this.#partial = all.subarray(start)
    return undefined
  }

  forget(): void {
    this.#partial = undefined
  }
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

/** An account's bodies hold all that one account may. */
export class ShareExceededError extends Error {
  override readonly name = 'ShareExceededError'
}

/** Takes bodies out of the bytes of one connection, within what the bodies of all connections may hold together. */
class BodyReceiver {
  readonly #budget: ByteBudget
  /** Share of the account that sends the body, as soon as it is known. */
  #share: AccountBodyBudget | undefined
  #decoder: BodyDecoder | undefined
  #heldBytes = 0

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** A body is being taken. */
  get isOpen(): boolean {
    return this.#decoder !== undefined
  }

  /** Throws `RefusedRequestError` for a body that is known to find no room, before it comes. */
  open(framing: number | 'chunked'): void {
    if (framing !== 'chunked' && !this.#budget.hasRoomFor(framing)) throw overloaded()
    this.#decoder = createBodyDecoder(framing)
  }

  /**
   * Gives the body's part of `bytes` to the request and returns the bytes after it; `isOpen` is false once the body is complete.
   * Throws `RefusedRequestError` when the body budget is used up, `ShareExceededError`, or `MalformedMessageError`.
   */
  take(request: InboundRequest, bytes: Buffer): Buffer | undefined {
    const decoder = this.#decoder
    if (decoder === undefined) return bytes
    const taken = decoder.push(bytes, request.pieces)
    this.#hold(taken)
    if (!decoder.done) {
      request.arrived(taken)
      return undefined
    }
    this.#decoder = undefined
    return taken < bytes.length ? bytes.subarray(taken) : undefined
  }

  /** The rest is not taken. */
  close(): void {
    this.#decoder = undefined
  }

  /** Counts the bytes that have come and those that will come in this share as well, which the body has entered. False when it is full. */
  countAgainst(share: AccountBodyBudget): boolean {
    if (!share.tryTake(this.#heldBytes)) {
      share.leave()
      return false
    }
    this.#share = share
    return true
  }

  /** Counts bytes of the body that are in memory no longer. */
  releaseBytes(bytes: number): void {
    const released = Math.min(bytes, this.#heldBytes)
    this.#heldBytes -= released
    this.#budget.release(released)
    this.#share?.release(released)
  }

  /** Releases the body's bytes when the request has its response. */
  release(): void {
    this.releaseBytes(this.#heldBytes)
    this.#share?.leave()
    this.#share = undefined
  }

  #hold(bytes: number): void {
    if (!this.#budget.tryTake(bytes)) throw overloaded()
    if (this.#share?.tryTake(bytes) === false) {
      this.#budget.release(bytes)
      throw new ShareExceededError('the bodies of this account hold its whole share')
    }
    this.#heldBytes += bytes
  }
}

function overloaded(): RefusedRequestError {
  return new RefusedRequestError(503, 'Too many bytes of requests are in flight. Try again later')
}

/** The reading half of a connection: requests out of its bytes, one at a time, and what was sent behind them. */
export class RequestReceiver {
  /** The caller waits for `100 Continue` before it sends its body (RFC 9110 §10.1.1). */
  owesContinue = false
  readonly #source: RequestSource
  readonly #reader = new RequestReader()
  readonly #body: BodyReceiver
  /** Bytes behind the request that is being served: requests that were sent ahead. */
  #ahead: Buffer | undefined
  /** Holds that the end of the response releases. */
  #held: Releasable[] = []

  constructor(budget: ByteBudget, source: RequestSource) {
    this.#source = source
    this.#body = new BodyReceiver(budget)
  }

  /** A head has begun to come. */
  get isHeadPartial(): boolean {
    return this.#reader.isPartial
  }

  /** A body is to come. */
  get isBodyOpen(): boolean {
    return this.#body.isOpen
  }

  get aheadBytes(): number {
    return this.#ahead?.length ?? 0
  }

  /**
   * The next request, with the bytes of its body so far; `undefined` while its head is incomplete. Throws
   * `RefusedRequestError`, or `MalformedMessageError` when its body is malformed from the start.
   */
  next(bytes: Buffer): InboundRequest | undefined {
    const read = this.#reader.read(bytes)
    if (read === undefined) return undefined
    const { head, rest } = read
    const request = new InboundRequest(head, this.#source)
    if (head.framing === 0) {
      request.completed()
      if (rest !== undefined) this.keepAhead(rest)
      return request
    }
    this.#body.open(head.framing)
    this.owesContinue = head.expectsContinue
    if (rest !== undefined) this.takeBody(request, rest)
    return request
  }

  /** Throws as `next` does. */
  takeBody(request: InboundRequest, bytes: Buffer): void {
    this.owesContinue = false
    const rest = this.#body.take(request, bytes)
    // First, because the application may respond as soon as the body is complete.
    if (rest !== undefined) this.keepAhead(rest)
    if (!this.#body.isOpen) request.completed()
  }

  countAgainst(share: AccountBodyBudget): boolean {
    return this.#body.countAgainst(share)
  }

  releaseBytes(bytes: number): void {
    this.#body.releaseBytes(bytes)
  }

  keepAhead(bytes: Buffer): void {
    this.#ahead = this.#ahead === undefined ? bytes : Buffer.concat([this.#ahead, bytes])
  }

  takeAhead(): Buffer | undefined {
    const ahead = this.#ahead
    this.#ahead = undefined
    return ahead
  }

  /** The rest of the body is not taken. */
  closeBody(): void {
    this.#body.close()
  }

  releaseAtEnd(held: Releasable): void {
    this.#held.push(held)
  }

  /** The request has its response. */
  finish(): void {
    this.#body.close()
    this.#body.release()
    this.owesContinue = false
    if (this.#held.length === 0) return
    for (const held of this.#held) held.release()
    this.#held = []
  }

  /** Nothing more is read. */
  stop(): void {
    this.finish()
    this.#forget()
  }

  /** The same while the request is still being worked on, as it may be for a caller who is gone: its bytes are held. */
  stopReading(): void {
    this.#body.close()
    this.#forget()
  }

  #forget(): void {
    this.#ahead = undefined
    this.#reader.forget()
  }
}
