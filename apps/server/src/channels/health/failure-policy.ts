import type { ChannelReason } from '@tollgate/api'
import type { UpstreamErrorInfo, UpstreamErrorKind } from '@tollgate/formats'
import type { CooldownLength } from './cooldown.ts'

const second = 1000
const minute = 60 * second

/**
 * Scope of a failed attempt, which is taken out of service:
 * - `call`: the caller's own; the upstream is healthy
 * - `channel`: counts against the channel for this model; many of them in a minute start a cooldown
 * - `model`: starts a cooldown of the channel for this model
 * - `key-for-model`: starts a cooldown of the key for this model; the key goes on serving its other models
 * - `key`: starts a cooldown of the key for every model
 */
export type FailureScope = 'call' | 'channel' | 'model' | 'key-for-model' | 'key'

/** Everything that follows from the kind of a failure. */
export interface FailurePolicy {
  readonly scope: FailureScope
  /** Next key or channel that may serve the call: the same channel with another of its keys, else another channel; or none. */
  readonly next: 'other-key' | 'other-channel' | 'give-up'
  /** Absent where nothing cools down by one failure. */
  readonly cooldown?: CooldownLength
  /** Takes the key out of service where the operator lets the gateway do so, and the channel with its last key. */
  readonly disablesKey?: true
  readonly fault: 'caller' | 'upstream'
}

/** The cause of a cooldown when too many calls of a channel and model failed. */
export const breakerLength: CooldownLength = { firstMs: 5 * second, maxMs: 5 * minute }
const absentLength: CooldownLength = { firstMs: 30 * second, maxMs: 30 * minute }
const limitedLength: CooldownLength = { firstMs: 10 * second, maxMs: 5 * minute }
const refusedLength: CooldownLength = { firstMs: minute, maxMs: 30 * minute }

const ofCaller: FailurePolicy = { scope: 'call', next: 'give-up', fault: 'caller' }
const ofChannel: FailurePolicy = { scope: 'channel', next: 'other-channel', fault: 'upstream' }
const deadKey: FailurePolicy = {
  scope: 'key',
  next: 'other-key',
  cooldown: refusedLength,
  disablesKey: true,
  fault: 'upstream',
}

/** The one table of what follows a failure: failover, cooldown, the switch and the blame read it. */
const policies = {
  bad_request: ofCaller,
  context_overflow: ofCaller,
  output_limit: ofCaller,
  content_policy: ofCaller,
  overloaded: ofChannel,
  timeout: ofChannel,
  upstream_bug: ofChannel,
  // OpenAI responds 404 also to a chat model on the completions path: that must not take the model from all callers.
  not_found: ofChannel,
  model_not_found: { scope: 'model', next: 'other-channel', cooldown: absentLength, fault: 'upstream' },
  rate_limited: { scope: 'key-for-model', next: 'other-key', cooldown: limitedLength, fault: 'upstream' },
  account_limited: { scope: 'key-for-model', next: 'other-key', cooldown: refusedLength, fault: 'upstream' },
  forbidden: { scope: 'key-for-model', next: 'other-key', cooldown: refusedLength, fault: 'upstream' },
  unauthorized: deadKey,
  quota: deadKey,
  suspended: deadKey,
} as const satisfies Record<UpstreamErrorKind, FailurePolicy>

/** Returns the policy for failures of this kind. */
export function policyOf(kind: UpstreamErrorKind): FailurePolicy {
  return policies[kind]
}

/** What failed, for the operator. Never the upstream's own text, which may quote keys and callers. */
export function describeFailure({ kind, status, receivedStatus = status }: UpstreamErrorInfo): ChannelReason {
  return { code: kind, params: receivedStatus === 0 ? {} : { status: receivedStatus } }
}
