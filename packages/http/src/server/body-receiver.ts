import { type BodyDecoder, createBodyDecoder } from '../wire/body-decoder.ts'
import type { AccountBodyBudget } from './account-body-budgets.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { InboundRequest } from './inbound-request.ts'
import { RefusedRequestError } from './request-head.ts'

/** An account's bodies hold all that one account may. */
export class ShareExceededError extends Error {
  override readonly name = 'ShareExceededError'
}

/** Takes bodies out of the bytes of one connection, within what the bodies of all connections may hold together. */
export class BodyReceiver {
  readonly #budget: ByteBudget
  /** Of the account that sends the body, as soon as it is known. */
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
   * Gives the body's part of `bytes` to the request; `isOpen` is false when it has come whole. Returns the bytes behind it.
   * Throws `RefusedRequestError` when there is no room, `ShareExceededError`, or `MalformedMessageError`.
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

  /** What has come and what will come counts in this share as well, which the body has entered. False when it is full. */
  countAgainst(share: AccountBodyBudget): boolean {
    if (!share.tryTake(this.#heldBytes)) {
      share.leave()
      return false
    }
    this.#share = share
    return true
  }

  /** So many bytes of the body are in memory no longer. */
  releaseBytes(bytes: number): void {
    const released = Math.min(bytes, this.#heldBytes)
    this.#heldBytes -= released
    this.#budget.release(released)
    this.#share?.release(released)
  }

  /** The request is answered: its bytes are nobody's any more. */
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
