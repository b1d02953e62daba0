import type { CountedOutcome, Fault } from '@tollgate/api'
import { policyOf } from '../../channels/health/failure-policy.ts'
import type { AttemptRecord } from './call.ts'
import type { EarlyEnd } from './charge/counted-usage.ts'
import type { RelayError } from './relay-error.ts'

/** Outcomes of attempts that did not fail by their upstream. */
const attemptFaults = {
  ok: 'ok',
  client_gone: 'caller',
} as const satisfies Partial<Record<AttemptRecord['kind'], CountedOutcome>>

/** Parties at fault for a response that broke off after its start. A caller that leaves has been served until then. */
const endFaults = {
  client_gone: 'ok',
  upstream_cut: 'upstream',
  upstream_error: 'upstream',
  timeout: 'upstream',
  shutdown: 'gateway',
  insufficient_quota: 'balance',
  output_limit: 'upstream',
  sensitive_words: 'caller',
} as const satisfies Record<EarlyEnd, CountedOutcome>

/** Parties at fault for a call that ended in an error which no failed attempt explains. */
const errorFaults = {
  invalid_request: 'caller',
  body_too_large: 'caller',
  body_encoding_unsupported: 'caller',
  missing_api_key: 'caller',
  invalid_api_key: 'caller',
  token_disabled: 'caller',
  token_expired: 'caller',
  token_quota_exhausted: 'balance',
  user_banned: 'caller',
  address_not_allowed: 'caller',
  model_not_allowed: 'caller',
  group_not_allowed: 'caller',
  channel_pin_not_allowed: 'caller',
  channel_pin_invalid: 'caller',
  channel_disabled: 'no_channel',
  stored_response_not_found: 'caller',
  video_not_found: 'caller',
  video_not_ready: 'caller',
  model_not_found: 'no_channel',
  sensitive_words_detected: 'caller',
  unpriced_field: 'caller',
  model_price_error: 'gateway',
  unsupported_endpoint: 'caller',
  insufficient_user_quota: 'balance',
  insufficient_token_quota: 'balance',
  model_mapping_contains_cycle: 'gateway',
  no_available_channel: 'no_channel',
  model_not_in_group: 'caller',
  not_admitting: 'gateway',
  shutting_down: 'gateway',
  database_unavailable: 'gateway',
  not_logged_in: 'caller',
  admin_address_not_allowed: 'caller',
  admin_second_factor_required: 'caller',
  access_token_not_supported: 'caller',
  method_not_allowed: 'caller',
  too_many_requests: 'limit',
  overloaded: 'gateway',
  client_gone: 'caller',
  unknown_path: 'caller',
  api_not_implemented: 'gateway',
  upstream_unreachable: 'upstream',
  upstream_unauthorized: 'upstream',
  upstream_unavailable: 'upstream',
  upstream_malformed: 'upstream',
  upstream_empty: 'upstream',
  upstream_timeout: 'upstream',
  upstream_error: 'upstream',
  internal_error: 'gateway',
} as const satisfies Record<RelayError['code'], Fault>

export const faultOfAttempt = (kind: AttemptRecord['kind']): CountedOutcome =>
  kind === 'ok' || kind === 'client_gone' ? attemptFaults[kind] : policyOf(kind).fault
export const faultOfEnd = (ended: EarlyEnd | undefined): CountedOutcome =>
  ended === undefined ? 'ok' : endFaults[ended]
export const faultOfError = ({ code }: Pick<RelayError, 'code'>): Fault => errorFaults[code]

/** Returns the party at fault for a logged reason; `undefined` for one that this program does not know. */
export const faultOfReason = (reason: string): Fault | undefined =>
  (errorFaults as Readonly<Record<string, Fault | undefined>>)[reason]
