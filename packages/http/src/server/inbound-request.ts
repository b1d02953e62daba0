import type { BodyListener } from '../wire/body.ts'
import { type BodySource, IncomingBody } from '../wire/incoming-body.ts'
import type { AccountBodyBudget } from './byte-budget.ts'
import type { RequestHead } from './request-head.ts'

/** The connection that a request came by. */
export interface RequestSource extends BodySource {
  /** The caller's end of it; empty when nobody knows. */
  readonly peerAddress: string
  /** The body is about to be waited for. */
  wanted(): void
  allowSilence(ms: number): void
  countAgainst(share: AccountBodyBudget): boolean
  releaseBytes(bytes: number): void
}

/** Who is told that a caller hung up: no function, which would be made for every request. */
export interface DisconnectListener {
  disconnected(): void
}

/** A request whose head has come; its body is read from it like any other. */
export class InboundRequest extends IncomingBody {
  readonly headers: RequestHead
  readonly #source: RequestSource
  #isDisconnected = false
  #listener: DisconnectListener | undefined

  constructor(head: RequestHead, source: RequestSource) {
    super(head.framing, source)
    this.headers = head
    this.#source = source
  }

  get method(): string {
    return this.headers.method
  }

  /** Path and query, as they were sent. */
  get target(): string {
    return this.headers.target
  }

  get peerAddress(): string {
    return this.#source.peerAddress
  }

  /** The caller hung up before its response was sent. */
  get isDisconnected(): boolean {
    return this.#isDisconnected
  }

  /** Tells `listener` when the caller hangs up, or has. One listener. */
  onDisconnect(listener: DisconnectListener): void {
    this.#listener = listener
    if (this.#isDisconnected) listener.disconnected()
  }

  /** Lets its caller take longer than any caller may, between two parts of the body and in taking the response. */
  allowSilence(ms: number): void {
    this.#source.allowSilence(ms)
  }

  /**
   * Counts the body in the share of its account, which it has entered and leaves when the request is answered. False when
   * the share has no room for what has come; a read fails with `ShareExceededError` when it has none for the rest.
   */
  countAgainst(share: AccountBodyBudget): boolean {
    return this.#source.countAgainst(share)
  }

  /** So many bytes that were read are in memory no longer, before the request is answered. */
  releaseBytes(bytes: number): void {
    this.#source.releaseBytes(bytes)
  }

  override next(listener: BodyListener): void {
    if (!this.isComplete) this.#source.wanted()
    super.next(listener)
  }

  /** For its connection to say. */
  disconnected(error: Error): void {
    this.#isDisconnected = true
    this.#listener?.disconnected()
    if (!this.isComplete) this.failed(error)
  }
}
