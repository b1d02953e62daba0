/** What went wrong upstream, named once; retry, rest, disable and give-up are decided from the kind alone. */
export type UpstreamErrorKind =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'quota'
  | 'overloaded'
  | 'timeout'
  | 'upstream_bug'
  | 'content_policy'

/** An upstream's refusal, decoded from its wire format; texts are the upstream's own and not yet redacted. */
export interface UpstreamErrorInfo {
  readonly kind: UpstreamErrorKind
  /**
   * HTTP status the upstream answered with; 0 when there was no response. For a failure inside a 200 response it is the
   * status that the failure means, so that no later code takes it for a success.
   */
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string | null
  /** How long the upstream asked to wait; absent when it did not say. */
  readonly retryAfterMs?: number
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
  /** In OpenAI's words: `invalid_request_error`, `insufficient_quota`, `server_error`, … */
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  /** Whole seconds after which the call may be made again, for formats that say it in the body too. */
  readonly retryAfterSeconds?: number
}
