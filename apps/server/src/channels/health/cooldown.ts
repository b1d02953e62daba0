import type { ChannelReason } from '@tollgate/api'
import type { HealthView } from './health-types.ts'

/** Length of a cooldown: of the first one, and the limit up to which repeated ones double. */
export interface CooldownLength {
  readonly firstMs: number
  readonly maxMs: number
}

/** Cause of a cooldown. */
export interface CooldownCause {
  readonly length: CooldownLength
  readonly reason: ChannelReason
  /** The pause that the upstream asked for (Retry-After). */
  readonly retryAfterMs?: number | undefined
}

/** One probe at a time. When its outcome never comes (the caller disconnected), the next may start after this. */
const probeTimeoutMs = 15_000
/** Successes in a row that end a cooldown early: calls without another channel found the upstream healthy. */
const successesToEnd = 3
/** After this long without a cooldown, the next one starts with the first length again. */
const forgetMs = 10 * 60_000
/** Bounds of what an upstream may request. */
const maxRetryAfterMs = 60 * 60_000
const minRetryAfterMs = 1_000
/** Cooldowns of many channels should not end at the same moment. */
const jitter = 0.1
/** Delay of a node's probe after that of the node from which it heard of the cooldown, and at most twice as long. */
const standbyMs = 750

/** A running cooldown as other nodes hear of it: durations, since their clocks differ. */
export interface HeardCooldown {
  readonly leftMs: number
  /** Number of this cooldown since the breaker was last closed for long. */
  readonly round: number
  readonly reason: ChannelReason
}

/**
 * A circuit breaker with exponential backoff. It is closed until `start`. Then it is open for the cooldown, and after
 * it half-open: one probe at a time passes, and the first success closes it. Times are of the monotonic clock, in ms.
 */
export class Cooldown {
  /** `undefined` while closed. */
  #reason: ChannelReason | undefined
  /** `undefined` while closed. */
  #endsAt: number | undefined
  #closedAt = Number.NEGATIVE_INFINITY
  /** Cooldowns since it was last closed for long: each doubles the length of the next. */
  #round = 0
  #successes = 0
  #probeUntil = Number.NEGATIVE_INFINITY

  get reason(): ChannelReason | undefined {
    return this.#reason
  }

  /** End of the running or last cooldown; `undefined` while closed. */
  get endsAt(): number | undefined {
    return this.#endsAt
  }

  state(now: number): HealthView['state'] {
    if (this.#endsAt === undefined) return 'closed'
    return now < this.#endsAt ? 'open' : 'half-open'
  }

  /** Decides whether a call may pass. Changes nothing. */
  admits(now: number): boolean {
    return this.#endsAt === undefined || (now >= this.#endsAt && now >= this.#probeUntil)
  }

  /** Takes the place of the one probe, unless closed. Returns whether it did. */
  beginProbe(now: number): boolean {
    if (this.#endsAt === undefined) return false
    this.#probeUntil = now + probeTimeoutMs
    return true
  }

  /** The probe ended without a verdict: the next may start. */
  endProbe(): void {
    this.#probeUntil = Number.NEGATIVE_INFINITY
  }

  /**
   * Starts a cooldown, or lengthens the running one when the upstream asks for more. Failures of calls that were under
   * way when it started do not make it longer. Returns whether a new cooldown started.
   * @param random a number in [0, 1)
   */
  start(now: number, cause: CooldownCause, random: () => number): boolean {
    const requestedEnd = endOf(now, cause.retryAfterMs)
    this.#successes = 0
    if (this.state(now) === 'open') {
      this.#endsAt = Math.max(this.#endsAt ?? now, requestedEnd ?? now)
      return false
    }
    this.#forgetRounds(now)
    const lengthMs = this.#nextLength(cause.length)
    this.#endsAt = requestedEnd ?? now + lengthMs * (1 - jitter * random())
    this.#reason = cause.reason
    this.endProbe()
    return true
  }

  #forgetRounds(now: number): void {
    if (this.#endsAt === undefined && now - this.#closedAt > forgetMs) this.#round = 0
  }

  #nextLength({ firstMs, maxMs }: CooldownLength): number {
    const ms = Math.min(firstMs * 2 ** this.#round, maxMs)
    this.#round += 1
    return ms
  }

  /** A call succeeded. Returns whether that closed the breaker. */
  succeed(now: number): boolean {
    const state = this.state(now)
    if (state === 'closed') return false
    this.#successes += 1
    if (state === 'open' && this.#successes < successesToEnd) return false
    this.close(now)
    return true
  }

  /** Closes it. Returns whether it was not closed. */
  close(now: number): boolean {
    if (this.#endsAt === undefined) return false
    this.#endsAt = undefined
    this.#reason = undefined
    this.#successes = 0
    this.#closedAt = now
    this.endProbe()
    return true
  }

  /** The running cooldown, for other nodes; `undefined` while a call may pass. */
  tell(now: number): HeardCooldown | undefined {
    if (this.#reason === undefined || this.state(now) !== 'open') return undefined
    return { leftMs: Math.ceil((this.#endsAt ?? now) - now), round: this.#round, reason: this.#reason }
  }

  /**
   * Takes up the cooldown of another node, and stands by for a moment after it: that node probes first. Of two that run at
   * the same time the one that ends first is probed. Returns whether a new cooldown started.
   * @param random a number in [0, 1)
   */
  hear(now: number, { leftMs, round, reason }: HeardCooldown, random: () => number): boolean {
    const isOpen = this.state(now) === 'open'
    const heardEnd = now + Math.min(leftMs, maxRetryAfterMs)
    const leads = (this.#endsAt ?? now) <= heardEnd
    this.#forgetRounds(now)
    if (isOpen && (round < this.#round || (round === this.#round && leads))) return false
    const isNew = !isOpen || round > this.#round
    this.#endsAt = Math.max(this.#endsAt ?? now, heardEnd + standbyMs * (1 + random()))
    this.#round = Math.max(this.#round, round)
    if (isNew) this.#reason = reason
    this.#successes = 0
    this.endProbe()
    return isNew
  }

  /** Milliseconds until a call may pass; 0 when it may now. */
  remainingMs(now: number): number {
    return this.admits(now) ? 0 : Math.max(this.#endsAt ?? now, this.#probeUntil) - now
  }

  /** Decides whether forgetting it changes nothing: it has been closed for long, or no call came since the cooldown ended. */
  isIdle(now: number): boolean {
    return now - (this.#endsAt ?? this.#closedAt) > forgetMs
  }
}

function endOf(now: number, retryAfterMs: number | undefined): number | undefined {
  if (retryAfterMs === undefined) return undefined
  return now + Math.min(Math.max(retryAfterMs, minRetryAfterMs), maxRetryAfterMs)
}
