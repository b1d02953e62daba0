import type { ModelRequest, RelayCall } from '../call.ts'
import type { LimitGranted } from '../limits/limits.ts'
import type { ChannelLimitDecision } from '../limits/rate-limits.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import type { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'

/** `free`: nothing limits the channel. `none`: the attempt cannot be made. */
export type Slot = LimitGranted | 'free' | 'none'

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

  constructor(
    call: RelayCall<ModelRequest>,
    { channelLimits }: Pick<RelayDependencies, 'channelLimits'>,
    secure: SecureAttempt<Service> | undefined,
  ) {
    this.#call = call
    this.#limits = channelLimits
    this.#secure = secure
  }

  /** Takes a slot, synchronously for nearly every call. */
  take(candidate: Candidate<Service>): Slot | Promise<Slot> {
    const securing = this.#secure?.(candidate)
    return securing instanceof Promise
      ? securing.then((shortage) => this.#acquire(candidate, shortage))
      : this.#acquire(candidate, securing)
  }

  #acquire({ channel }: Candidate<Service>, shortage: RelayError | undefined): Slot | Promise<Slot> {
    if (shortage !== undefined) {
      this.shortage ??= shortage
      return 'none'
    }
    const acquiring = this.#limits.acquire(channel, this.#call)
    return acquiring instanceof Promise
      ? acquiring.then((decision) => this.#slotOf(decision))
      : this.#slotOf(acquiring)
  }

  #slotOf(decision: ChannelLimitDecision): Slot {
    if (decision === undefined) return 'free'
    if (decision.granted) return decision
    this.limitedSeconds = Math.min(
      decision.retryAfterSeconds,
      this.limitedSeconds ?? Number.POSITIVE_INFINITY,
    )
    return 'none'
  }
}
