import type { HealthView } from '../routing/routing-types.ts'

/** How long a rest lasts: the first one, and the limit that repeated ones double towards. */
export interface RestLength {
  readonly firstMs: number
  readonly maxMs: number
}

/** One probe at a time; when its outcome never comes (the caller hung up), the next may go after this. */
const probeLeaseMs = 15_000
/** Successes in a row that end a rest before its time: calls that had nowhere else to go found it well. */
const successesToEnd = 3
/** Being well for this long makes the next rest a first one again. */
const forgetMs = 10 * 60_000
/** An upstream may ask for a pause, but not for an absurd one. */
const maxAskedMs = 60 * 60_000
const minAskedMs = 1_000
/** Rests of many channels should not end in the same instant. */
const jitter = 0.1

/**
 * A rest that something takes after failing: nothing passes until it is over, then one probe at a time,
 * and the first success ends it. Whatever happens it never lasts longer than its longest length.
 */
export class Rest {
  /** 0 while well. */
  until = 0
  reason = ''
  #level = 0
  #successes = 0
  #probeUntil = 0
  #endedAt = 0

  state(now: number): HealthView['state'] {
    if (this.until === 0) return 'closed'
    return now < this.until ? 'open' : 'half-open'
  }

  /** Whether a call may pass; changes nothing. */
  admits(now: number): boolean {
    return this.until === 0 || (now >= this.until && now >= this.#probeUntil)
  }

  /** Takes the one place of a probe, when a probe it is. */
  claim(now: number): void {
    if (this.until !== 0) this.#probeUntil = now + probeLeaseMs
  }

  /** The probe ended without telling anything: the next may go. */
  unclaim(): void {
    this.#probeUntil = 0
  }

  /**
   * Begins a rest, or lengthens the running one when the upstream asks for more. Failures of calls that were
   * under way when it began do not make it grow. Returns whether a new rest began.
   */
  begin(now: number, length: RestLength, reason: string, random: () => number, askedMs?: number): boolean {
    const asked = askedMs === undefined ? 0 : now + Math.min(Math.max(askedMs, minAskedMs), maxAskedMs)
    this.#successes = 0
    if (now < this.until) {
      this.until = Math.max(this.until, asked)
      return false
    }
    if (this.until === 0 && now - this.#endedAt > forgetMs) this.#level = 0
    const ms = Math.min(length.firstMs * 2 ** this.#level, length.maxMs)
    this.#level = ms < length.maxMs ? this.#level + 1 : this.#level
    this.until = asked > 0 ? asked : now + ms * (1 - jitter * random())
    this.reason = reason
    this.#probeUntil = 0
    return true
  }

  /** A call succeeded. Returns whether that ended a rest. */
  succeed(now: number): boolean {
    if (this.until === 0) return false
    this.#successes += 1
    if (now < this.until && this.#successes < successesToEnd) return false
    this.until = 0
    this.reason = ''
    this.#successes = 0
    this.#probeUntil = 0
    this.#endedAt = now
    return true
  }

  /** When a call may pass again: 0 when it may now. */
  nextAt(now: number): number {
    return this.admits(now) ? 0 : Math.max(this.until, this.#probeUntil)
  }

  /** Nothing is remembered that matters: well for long, or nobody has asked since the rest was over. */
  idle(now: number): boolean {
    return now - (this.until === 0 ? this.#endedAt : this.until) > forgetMs
  }
}
