const never = Number.POSITIVE_INFINITY
/** How long a caller may take to read its answer and close, before the connection is closed under it. */
const lingerMs = 5000
/**
 * A caller that ends its side may still wait for its answer, or be gone: the wire says the same of both. It is taken for
 * gone after this, unless something was written to it meanwhile.
 */
const halfClosedMs = { withBody: 1000, withoutBody: 30_000 } as const

/** Until when a connection waits for its caller. In milliseconds of the host's monotonic clock. */
export class CallerDeadline {
  readonly #idleMs: number
  #silenceMs: number
  #silentUntil: number
  #graceUntil = never
  #takenWhenHalfClosed = 0

  constructor(now: number, idleMs: number) {
    this.#idleMs = idleMs
    this.#silenceMs = idleMs
    this.#silentUntil = now + idleMs
  }

  get dueAt(): number {
    return Math.min(this.#silentUntil, this.#graceUntil)
  }

  /** The caller has done something: its time begins anew. */
  renew(now: number): void {
    this.#silentUntil = now + this.#silenceMs
  }

  /** It is the caller's turn, or not: while it is ours nothing is due; time that runs for the caller goes on. */
  turn(isCallers: boolean, now: number): void {
    if (!isCallers) this.#silentUntil = never
    else if (this.#silentUntil === never) this.renew(now)
  }

  /** Another silence than the usual one, for the present request. */
  allow(ms: number, now: number): void {
    this.#silenceMs = ms
    if (this.#silentUntil !== never) this.renew(now)
  }

  /** The next request has the usual time. */
  reset(now: number): void {
    this.#silenceMs = this.#idleMs
    this.#graceUntil = never
    this.renew(now)
  }

  linger(now: number): void {
    this.#graceUntil = never
    this.#silentUntil = now + lingerMs
  }

  /**
   * The caller ended its side.
   * @param takenBytes what its socket has taken so far
   * @param hasBody what costs money has one: it is given up sooner
   */
  halfClosed(now: number, takenBytes: number, hasBody: boolean): void {
    this.#takenWhenHalfClosed = takenBytes
    this.#graceUntil = now + halfClosedMs[hasBody ? 'withBody' : 'withoutBody']
  }

  /** The grace of a half-closed connection is over, and its caller took something meanwhile: it may take all the rest. */
  stillReads(now: number, takenBytes: number): boolean {
    if (this.#graceUntil > now || takenBytes === this.#takenWhenHalfClosed) return false
    this.#graceUntil = never
    return true
  }
}
