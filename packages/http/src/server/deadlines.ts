import type { Clock } from '@tollgate/base'

const never = Number.POSITIVE_INFINITY
/** A body that comes more slowly holds memory for others' bodies too long. */
const minBytesPerMs = 8192 / 1000
/** Time by which a body may fall behind that rate: pauses of a mobile network, and the first bytes. */
const allowanceMs = 60_000

/** Until when the next bytes of a body must come, in milliseconds of a monotonic clock. Time runs only while we read. */
export class MinBodyRate {
  readonly #clock: Clock
  #leftMs = allowanceMs
  #dueAt = never

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get dueAt(): number {
    return this.#dueAt
  }

  /** Another body begins. */
  reset(): void {
    this.#leftMs = allowanceMs
    this.#dueAt = never
  }

  /** We read the body, or do not: its sender cannot send then. */
  reading(isRead: boolean): void {
    if (isRead === (this.#dueAt !== never)) return
    if (isRead) this.#dueAt = this.#clock.now() + this.#leftMs
    else {
      this.#leftMs = Math.max(0, this.#dueAt - this.#clock.now())
      this.#dueAt = never
    }
  }

  /** Counts bytes of the body that came while we read it. */
  came(bytes: number): void {
    if (this.#dueAt === never) return
    this.#dueAt = Math.min(this.#dueAt + bytes / minBytesPerMs, this.#clock.now() + allowanceMs)
  }
}

const noDeadline = Number.POSITIVE_INFINITY
/** Time for a caller to read its response and close, before the connection is closed under it. */
const lingerMs = 5000
/**
 * A caller that ends its side may still wait for its response, or be gone: the wire says the same of both. It is taken for
 * gone after this, unless something was written to it meanwhile.
 */
const halfClosedMs = { short: 1000, long: 30_000 } as const

/** Until when a connection waits for its caller, in milliseconds of a monotonic clock. */
export class ConnectionDeadline {
  readonly #clock: Clock
  #idleMs: number
  #silenceMs: number
  #silentUntil: number
  #graceUntil = noDeadline
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
    if (!isCallers) this.#silentUntil = noDeadline
    else if (this.#silentUntil === noDeadline) this.renew()
  }

  /** Another silence than the usual one, for the present request. */
  allow(ms: number): void {
    this.#silenceMs = ms
    if (this.#silentUntil !== noDeadline) this.renew()
  }

  /** The next request has the usual time. */
  reset(): void {
    this.#silenceMs = this.#idleMs
    this.#graceUntil = noDeadline
    this.renew()
  }

  /** Shortens the time of an idle connection, counted from its last use. */
  limitIdle(ms: number, isIdle: boolean): void {
    if (ms >= this.#idleMs) return
    if (isIdle) {
      this.#silentUntil -= this.#silenceMs - ms
      this.#silenceMs = ms
    }
    this.#idleMs = ms
  }

  linger(): void {
    this.#graceUntil = noDeadline
    this.#silentUntil = this.#clock.now() + lingerMs
  }

  /**
   * The caller ended its side.
   * @param takenBytes what its socket has taken so far
   * @param grace long for a request that costs little, should its caller be gone
   */
  halfClosed(takenBytes: number, grace: keyof typeof halfClosedMs): void {
    this.#takenWhenHalfClosed = takenBytes
    this.#graceUntil = this.#clock.now() + halfClosedMs[grace]
  }

  /** The grace of a half-closed connection is over, and its caller took something meanwhile: it may take all the rest. */
  stillReads(takenBytes: number): boolean {
    if (this.#graceUntil > this.#clock.now() || takenBytes === this.#takenWhenHalfClosed) return false
    this.#graceUntil = noDeadline
    return true
  }
}
