import { type BodyDecoder, createBodyDecoder } from '../wire/body-decoder.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { InboundRequest } from './inbound-request.ts'
import { RefusedRequestError } from './request-head.ts'

/** Takes bodies out of the bytes of one connection, within what the bodies of all connections may hold together. */
export class BodyIntake {
  readonly #budget: ByteBudget
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
   * Throws `RefusedRequestError` when there is no room, or `MalformedMessageError`.
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

  /** The request is answered: its bytes are nobody's any more. */
  release(): void {
    if (this.#heldBytes === 0) return
    this.#budget.release(this.#heldBytes)
    this.#heldBytes = 0
  }

  #hold(bytes: number): void {
    if (!this.#budget.tryTake(bytes)) throw overloaded()
    this.#heldBytes += bytes
  }
}

function overloaded(): RefusedRequestError {
  return new RefusedRequestError(503, 'Too many bytes of requests are in flight. Try again later')
}
