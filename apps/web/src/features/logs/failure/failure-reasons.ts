import type { LogOther } from '@tollgate/api'

/** Reasons of failures by the gateway's own rules, and by its upstreams: each has a sentence in both languages. */
const failureReasons = [
  'invalid_request',
  'body_too_large',
  'group_not_allowed',
  'channel_pin_invalid',
  'channel_disabled',
  'model_not_found',
  'model_price_error',
  'unpriced_field',
  'unsupported_endpoint',
  'insufficient_user_quota',
  'insufficient_token_quota',
  'no_available_channel',
  'model_not_in_group',
  'not_admitting',
  'shutting_down',
  'database_unavailable',
  'too_many_requests',
  'overloaded',
  'client_gone',
  'upstream_error',
  'upstream_unreachable',
  'upstream_unauthorized',
  'upstream_unavailable',
  'upstream_malformed',
  'upstream_empty',
  'upstream_timeout',
  'internal_error',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** Every reason with a name: `task_failed` has no sentence but its upstream's own. */
export const reasonNames = [...failureReasons, 'task_failed'] as const

/**
 * The reason of a failed call. Rows of older versions have the code that the caller got, which may be the upstream's own:
 * one that has no sentence here is taken for that. Work that fails after it was taken has its upstream's words, which the
 * row holds as its content.
 */
export function failureReasonOf({ error }: LogOther): FailureReason | undefined {
  if (error === undefined) return undefined
  const name = error.reason ?? error.code
  if (name === 'task_failed') return undefined
  return failureReasons.find((reason) => reason === name) ?? 'upstream_error'
}
