import type { UpstreamErrorInfo, UpstreamErrorKind } from '@tollgate/formats'

/** What a failed attempt means for the call. What it means for the channel is decided by health and switch. */
export type NextStep =
  /** The same channel may serve it with another of its keys; else another channel. */
  'other-key' | 'other-channel' | 'give-up'

const nextSteps = {
  bad_request: 'give-up',
  content_policy: 'give-up',
  unauthorized: 'other-key',
  forbidden: 'other-key',
  quota: 'other-key',
  rate_limited: 'other-key',
  not_found: 'other-channel',
  overloaded: 'other-channel',
  upstream_bug: 'other-channel',
  timeout: 'other-channel',
} as const satisfies Record<UpstreamErrorKind, NextStep>

/**
 * The one table of what follows a failed attempt.
 * An upstream that itself reports a timeout (408, 504, 524) has been working on the call, and may have been paid
 * for it: trying again elsewhere would pay twice, so that ends the call. Our own timer (status 0) does not.
 */
export function nextStep(error: UpstreamErrorInfo): NextStep {
  if (error.kind === 'timeout' && error.status !== 0) return 'give-up'
  return nextSteps[error.kind]
}
