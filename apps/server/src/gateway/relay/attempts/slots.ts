import type { ModelRequest, RelayCall } from '../call.ts'
import type { LimitGranted } from '../limits/limits.ts'
import type { ChannelLimitDecision } from '../limits/rate-limits.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import type { RelayError } from '../relay-error.ts'
import type { Candidate, Candidates } from '../routing/candidates.ts'

/** `free`: nothing limits the channel. */
export type Slot = LimitGranted | 'free'

/** An attempt that has its balance and its slot. */
export interface ReadyAttempt<Service> {
  readonly candidate: Candidate<Service>
  readonly slot: Slot
}

/** Returns why the balance cannot cover an attempt; `undefined` where it does. */
export type SecureAttempt<Service> = (
  candidate: Candidate<Service>,
) => RelayError | undefined | Promise<RelayError | undefined>

/** Secures the balance for each attempt of a call, and a slot at its channel. */
export class Slots<Service> {
  /** The shortest wait for a channel that was at its limit. */
  limitedSeconds: number | undefined
  /** Reason for which an attempt was not covered. */
  shortage: RelayError | undefined
  readonly #call: RelayCall<ModelRequest>
  readonly #limits: RelayDependencies['channelLimits']
  readonly #secure: SecureAttempt<Service> | undefined
  readonly #candidates: Pick<Candidates<Service>, 'next' | 'afterWait'>

  constructor(
    call: RelayCall<ModelRequest>,
    { channelLimits }: Pick<RelayDependencies, 'channelLimits'>,
    candidates: Pick<Candidates<Service>, 'next' | 'afterWait'>,
    secure: SecureAttempt<Service> | undefined,
  ) {
    this.#call = call
    this.#candidates = candidates
    this.#limits = channelLimits
    this.#secure = secure
  }

  /**
   * Returns the first attempt that can be made, from this candidate on, or `undefined` when none is left. At once, for nearly every
   * call.
   */
  first(
    from: Candidate<Service> | undefined,
  ): ReadyAttempt<Service> | undefined | Promise<ReadyAttempt<Service> | undefined> {
    for (let candidate = from; candidate !== undefined; candidate = this.#candidates.next()) {
      const slot = this.#take(candidate)
      if (slot instanceof Promise) return this.#afterWait(candidate, slot)
      if (slot !== 'none') return { candidate, slot }
    }
    return undefined
  }

  async #afterWait(
    candidate: Candidate<Service>,
    taking: Promise<Slot | 'none'>,
  ): Promise<ReadyAttempt<Service> | undefined> {
    const slot = await taking
    if (slot === 'none') return await this.first(this.#candidates.next())
    const current = this.#candidates.afterWait(candidate)
    if (current === candidate) return { candidate, slot }
    releaseUnused(slot)
    return await this.first(current)
  }

  #take(candidate: Candidate<Service>): Slot | 'none' | Promise<Slot | 'none'> {
    const securing = this.#secure?.(candidate)
    return securing instanceof Promise
      ? securing.then((shortage) => this.#acquire(candidate, shortage))
      : this.#acquire(candidate, securing)
  }

  #acquire(
    { channel }: Candidate<Service>,
    shortage: RelayError | undefined,
  ): Slot | 'none' | Promise<Slot | 'none'> {
    if (shortage !== undefined) {
      this.shortage ??= shortage
      return 'none'
    }
    const acquiring = this.#limits.acquire(channel, this.#call)
    return acquiring instanceof Promise
      ? acquiring.then((decision) => this.#slotOf(decision))
      : this.#slotOf(acquiring)
  }

  #slotOf(decision: ChannelLimitDecision): Slot | 'none' {
    if (decision === undefined) return 'free'
    if (decision.granted) return decision
    this.limitedSeconds = Math.min(
      decision.retryAfterSeconds,
      this.limitedSeconds ?? Number.POSITIVE_INFINITY,
    )
    return 'none'
  }
}

/** Releases the slot of an attempt that delivered nothing. */
export function releaseUnused(slot: Slot): void {
  if (slot !== 'free') slot.release?.({ succeeded: false })
}
