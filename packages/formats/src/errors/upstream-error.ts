import type { TokenCounts } from './token-counts.ts'

/** Kind of an upstream's failure, named once: retry, cooldown, disabling and the caller's words are decided from the kind alone. */
export type UpstreamErrorKind =
  | 'bad_request'
  /** The prompt, or the prompt and the requested output, exceed the model's context. */
  | 'context_overflow'
  /** The requested output alone exceeds what the model can write. */
  | 'output_limit'
  | 'content_policy'
  | 'rate_limited'
  | 'overloaded'
  | 'timeout'
  | 'upstream_bug'
  /** The address, or what it names, does not exist. */
  | 'not_found'
  | 'model_not_found'
  /** The key is wrong, expired or revoked. */
  | 'unauthorized'
  /** The key is good and may not do this. */
  | 'forbidden'
  /** The account has no money or credit left. */
  | 'quota'
  /** The account or organization is disabled, locked or closed. */
  | 'suspended'
  /** The plan's allowance of a period is used up, or the account is in some other trouble that may pass. */
  | 'account_limited'

/**
 * Kinds that concern the operator's account at the upstream, not the caller's call. `satisfies` makes a forgotten kind an
 * error.
 */
const ofOperator = {
  bad_request: false,
  context_overflow: false,
  output_limit: false,
  content_policy: false,
  rate_limited: false,
  overloaded: false,
  timeout: false,
  upstream_bug: false,
  not_found: false,
  model_not_found: false,
  unauthorized: true,
  forbidden: true,
  quota: true,
  suspended: true,
  account_limited: true,
} as const satisfies Record<UpstreamErrorKind, boolean>

/** Every kind, for tables and tests that walk them. */
export const upstreamErrorKinds = Object.keys(ofOperator) as readonly UpstreamErrorKind[] // Its keys are the kinds.

/** Returns whether a failure concerns the operator's account: its words, codes and status are none of the caller's business. */
export function isOperatorMatter(kind: UpstreamErrorKind): boolean {
  return ofOperator[kind]
}

/** An upstream's refusal, decoded from its wire format; texts are the upstream's own and not yet redacted. */
export interface UpstreamErrorInfo {
  readonly kind: UpstreamErrorKind
  /**
   * HTTP status the upstream answered with; 0 when there was no response. For a failure inside a 200 response it is the
   * status that the failure means, so that no later code takes it for a success.
   */
  readonly status: number
  /** The status of the response itself, for those who run the gateway; absent without a response. */
  readonly receivedStatus?: number
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string | null
  /** Time that the upstream asks to wait; absent when it did not say. */
  readonly retryAfterMs?: number
  /** The counts that an overflow names; absent where it names none. */
  readonly tokens?: TokenCounts
  /** The body holds no error that can be read: the message is the gateway's description of it. */
  readonly isUnreadable?: true
}

/** A failed response as it arrived. */
export interface UpstreamFailure {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Body text, cut to a sane length by the caller. */
  readonly body: string
}

/** An error for a caller; every format encodes it in its own shape. The message is safe to show to the caller. */
export interface ApiError {
  /** HTTP status of the response, or the status that a failure inside a stream means. */
  readonly status: number
  /** Says what to do; the request id is part of it. */
  readonly message: string
  /** The same alone, for formats that have a field for it; absent where no call has one. */
  readonly requestId?: string
  /** Type in OpenAI's words: `invalid_request_error`, `insufficient_quota`, `server_error`, … */
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  /** Whole seconds after which the call may be made again, for formats that say it in the body too. */
  readonly retryAfterSeconds?: number
  /** Kind of the upstream's failure, for the words by which clients of a format recognize it; absent for the gateway's own errors. */
  readonly kind?: UpstreamErrorKind
  readonly tokens?: TokenCounts
}
