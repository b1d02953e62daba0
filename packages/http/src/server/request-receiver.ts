import type { AccountBodyBudget } from './account-body-budgets.ts'
import { BodyReceiver } from './body-receiver.ts'
import type { ByteBudget } from './byte-budget.ts'
import { InboundRequest, type RequestSource } from './inbound-request.ts'
import { RequestReader } from './request-reader.ts'

/** The reading half of a connection: requests out of its bytes, one at a time, and what was sent behind them. */
export class RequestReceiver {
  /** The caller waits to be told to send its body (RFC 9110 §10.1.1). */
  owesContinue = false
  readonly #source: RequestSource
  readonly #reader = new RequestReader()
  readonly #body: BodyReceiver
  /** Bytes behind the request that is being served: requests that were sent ahead. */
  #ahead: Buffer | undefined

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
   * The next request, as far as it has come; `undefined` while its head has not come whole. Throws `RefusedRequestError`, or
   * `MalformedMessageError` when its body is malformed from the start.
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
    // First, because whoever waits for the body may answer at once.
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

  /** The request is answered. */
  finish(): void {
    this.#body.close()
    this.#body.release()
    this.owesContinue = false
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
