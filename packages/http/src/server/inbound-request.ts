import { type BodySource, IncomingBody } from '../wire/incoming-body.ts'
import type { AccountBodyBudget } from './byte-budget.ts'
import type { RequestHead } from './request-head.ts'

/** The connection that a request came by. */
export interface RequestSource extends BodySource {
  /** The caller's address; empty when it is unknown. */
  readonly peerAddress: string
  /** The body is about to be waited for. */
  wanted(): void
  allowSilence(ms: number): void
  countAgainst(share: AccountBodyBudget): boolean
  releaseBytes(bytes: number): void
  releaseAtEnd(held: Releasable): void
}

/** Something that is held for a request until its response has left. */
export interface Releasable {
  release(): void
}

/** Receives the news that a caller hung up. An object, because a function would be allocated for every request. */
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

  /** Calls `listener` when the caller hangs up, at once when it already has. One listener. */
  onDisconnect(listener: DisconnectListener): void {
    this.#listener = listener
    if (this.#isDisconnected) listener.disconnected()
  }

  /** Allows the caller a longer silence than the default, between two parts of the body and while it reads the response. */
  allowSilence(ms: number): void {
    this.#source.allowSilence(ms)
  }

  /**
   * Counts the body against its account's share until the response ends. Returns false when the bytes received so far exceed
   * the share; a later read fails with `ShareExceededError` when the rest exceeds it.
   */
  countAgainst(share: AccountBodyBudget): boolean {
    return this.#source.countAgainst(share)
  }

  /** Releases bytes that were read and are no longer in memory, before the response ends. */
  releaseBytes(bytes: number): void {
    this.#source.releaseBytes(bytes)
  }

  /** Releases what is held for the response once the response has left, or nobody is there to take it. */
  releaseAtEnd(held: Releasable): void {
    this.#source.releaseAtEnd(held)
  }

  protected override wanted(): void {
    this.#source.wanted()
  }

  /** Tells the request that its connection is gone. */
  disconnected(error: Error): void {
    this.#isDisconnected = true
    this.#listener?.disconnected()
    if (!this.isComplete) this.failed(error)
  }
}
