import type { ResponseError } from '../chat/response-part.ts'
import { leftEarly } from '../library/read-conversation.ts'

/** Reasons for a missing response in a customer's words, by the code that the gateway gives. */
const reasons = {
  insufficient_user_quota: 'balance',
  model_not_allowed: 'model',
  model_not_found: 'model',
  model_price_error: 'model',
  no_available_channel: 'busyModel',
  get_playground_channel_failed: 'busyModel',
  group_not_allowed: 'group',
  too_many_requests: 'tooMany',
  sensitive_words_detected: 'words',
  user_banned: 'account',
  overloaded: 'busy',
  not_admitting: 'busy',
  shutting_down: 'busy',
  database_unavailable: 'busy',
  upstream_unreachable: 'provider',
  upstream_unauthorized: 'provider',
  upstream_unavailable: 'provider',
  upstream_malformed: 'provider',
  upstream_empty: 'provider',
  upstream_timeout: 'slow',
  internal_error: 'fault',
  [leftEarly]: 'leftEarly',
} as const

type FailureReason = (typeof reasons)[keyof typeof reasons] | 'offline' | 'noMessage'

/** Returns what to show of a failure: a sentence of ours, or the gateway's own where it names what is wrong with the request. */
export function failureText({
  message,
  code,
  status,
}: ResponseError): { readonly known: FailureReason } | { readonly message: string } {
  if (isKnown(code)) return { known: reasons[code] }
  if (message !== '') return { message }
  return { known: status === 0 ? 'offline' : 'noMessage' }
}

/** The page on which a person can mend a failure by themselves. */
export function mendOf({ code, status }: ResponseError): 'log-in' | 'top-up' | undefined {
  if (status === 401) return 'log-in'
  return isKnown(code) && reasons[code] === 'balance' ? 'top-up' : undefined
}

function isKnown(code: string): code is keyof typeof reasons {
  return Object.hasOwn(reasons, code)
}
