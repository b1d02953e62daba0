import type { ChannelReason } from '@tollgate/api'
import type { UpstreamErrorInfo, UpstreamErrorKind } from '@tollgate/formats'
import type { CooldownLength } from './cooldown.ts'

const second = 1000
const minute = 60 * second

/**
 * What a failed attempt means for health:
 * - `none`: the caller's fault; the upstream is healthy
 * - `count`: counts against the channel for this model; many of them in a minute start a cooldown
 * - `cool-model`: starts a cooldown of the channel for this model
 * - `cool-key-for-model`: starts a cooldown of the key for this model; the key goes on serving its other models
 * - `cool-key`: starts a cooldown of the key for every model
 */
export type FailureEffect =
  | { readonly kind: 'none' | 'count' }
  | {
      readonly kind: 'cool-model' | 'cool-key-for-model' | 'cool-key'
      readonly length: CooldownLength
    }

/** The cause of a cooldown when too many calls of a channel and model failed. */
export const breakerLength: CooldownLength = { firstMs: 5 * second, maxMs: 5 * minute }
const absentLength: CooldownLength = { firstMs: 30 * second, maxMs: 30 * minute }
const limitedLength: CooldownLength = { firstMs: 10 * second, maxMs: 5 * minute }
const refusedLength: CooldownLength = { firstMs: minute, maxMs: 30 * minute }

const effects = {
  bad_request: { kind: 'none' },
  content_policy: { kind: 'none' },
  overloaded: { kind: 'count' },
  timeout: { kind: 'count' },
  upstream_bug: { kind: 'count' },
  not_found: { kind: 'count' },
  rate_limited: { kind: 'cool-key-for-model', length: limitedLength },
  forbidden: { kind: 'cool-key-for-model', length: refusedLength },
  unauthorized: { kind: 'cool-key', length: refusedLength },
  quota: { kind: 'cool-key', length: refusedLength },
} as const satisfies Record<UpstreamErrorKind, FailureEffect>

const absentModel: FailureEffect = { kind: 'cool-model', length: absentLength }

/** What the failure means for the health of its channel. */
export function failureEffect(error: UpstreamErrorInfo): FailureEffect {
  // OpenAI responds 404 also to a chat model on the completions path: that is the caller's fault and must not take the
  // model from all callers. Only an error that names the model (model_not_found, DeploymentNotFound) does.
  if (error.kind === 'not_found' && /model|deployment/i.test(error.code)) return absentModel
  return effects[error.kind]
}

/** What failed, for the operator. Never the upstream's own text, which may quote keys and callers. */
export function describeFailure({ kind, status }: UpstreamErrorInfo): ChannelReason {
  return { code: kind, params: status === 0 ? {} : { status } }
}
