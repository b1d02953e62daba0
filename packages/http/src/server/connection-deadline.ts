import type { Clock } from '@tollgate/base'

const never = Number.POSITIVE_INFINITY
/** How long a caller may take to read its answer and close, before the connection is closed under it. */
const lingerMs = 5000
/**
 * A caller that ends its side may still wait for its answer, or be gone: the wire says the same of both. It is taken for
 * gone after this, unless something was written to it meanwhile.
 */
const halfClosedMs = { short: 1000, long: 30_000 } as const

/** Until when a connection waits for its caller, in milliseconds of a monotonic clock. */
export class ConnectionDeadline {
  readonly #clock: Clock
  readonly #idleMs: number
  #silenceMs: number
  #silentUntil: number
  #graceUntil = never
  #takenWhenHalfClosed = 0

  constructor(clock: Clock, idleMs: number) {
    this.#clock = clock
    this.#idleMs = idleMs
    this.#silenceMs = idleMs
    this.#silentUntil = clock.now() + idleMs
  }

  get dueAt(): number {
    return Math.min(this.#silentUntil, this.#graceUntil)
  }

  /** The caller has done something: its time begins anew. */
  renew(): void {
    this.#silentUntil = this.#clock.now() + this.#silenceMs
  }

  /** It is the caller's turn, or not: while it is ours nothing is due; time that runs for the caller goes on. */
  turn(isCallers: boolean): void {
    if (!isCallers) this.#silentUntil = never
    else if (this.#silentUntil === never) this.renew()
  }

  /** Another silence than the usual one, for the present request. */
  allow(ms: number): void {
    this.#silenceMs = ms
    if (this.#silentUntil !== never) this.renew()
  }

  /** The next request has the usual time. */
  reset(): void {
    this.#silenceMs = this.#idleMs
    this.#graceUntil = never
    this.renew()
  }

  linger(): void {
    this.#graceUntil = never
    this.#silentUntil = this.#clock.now() + lingerMs
  }

  /**
   * The caller ended its side.
   * @param takenBytes what its socket has taken so far
   * @param grace long for what costs little to answer for nobody
   */
  halfClosed(takenBytes: number, grace: keyof typeof halfClosedMs): void {
    this.#takenWhenHalfClosed = takenBytes
    this.#graceUntil = this.#clock.now() + halfClosedMs[grace]
  }

  /** The grace of a half-closed connection is over, and its caller took something meanwhile: it may take all the rest. */
  stillReads(takenBytes: number): boolean {
    if (this.#graceUntil > this.#clock.now() || takenBytes === this.#takenWhenHalfClosed) return false
    this.#graceUntil = never
    return true
  }
}
