import type { ApiError, UpstreamErrorInfo } from '@tollgate/formats'

/**
 * Every refusal the relay gives by itself: status, and the `type` OpenAI clients branch on.
 * A failed upstream answers with `upstream` and its own status.
 */
export const relayErrors = {
  invalid_request: { status: 400, type: 'invalid_request_error' },
  body_too_large: { status: 413, type: 'invalid_request_error' },
  body_encoding_unsupported: { status: 415, type: 'invalid_request_error' },
  missing_api_key: { status: 401, type: 'invalid_request_error' },
  invalid_api_key: { status: 401, type: 'invalid_request_error' },
  token_disabled: { status: 401, type: 'invalid_request_error' },
  token_expired: { status: 401, type: 'invalid_request_error' },
  token_quota_exhausted: { status: 401, type: 'insufficient_quota' },
  user_banned: { status: 403, type: 'permission_error' },
  address_not_allowed: { status: 403, type: 'permission_error' },
  model_not_allowed: { status: 403, type: 'permission_error' },
  group_not_allowed: { status: 403, type: 'permission_error' },
  channel_pin_not_allowed: { status: 403, type: 'permission_error' },
  channel_pin_invalid: { status: 400, type: 'invalid_request_error' },
  channel_disabled: { status: 403, type: 'permission_error' },
  stored_response_not_found: { status: 404, type: 'invalid_request_error' },
  video_not_found: { status: 404, type: 'invalid_request_error' },
  video_not_ready: { status: 400, type: 'invalid_request_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  sensitive_words_detected: { status: 400, type: 'invalid_request_error' },
  unpriced_field: { status: 400, type: 'invalid_request_error' },
  model_price_error: { status: 400, type: 'invalid_request_error' },
  unsupported_endpoint: { status: 400, type: 'invalid_request_error' },
  insufficient_user_quota: { status: 403, type: 'insufficient_quota' },
  insufficient_token_quota: { status: 403, type: 'insufficient_quota' },
  model_mapping_contains_cycle: { status: 500, type: 'server_error' },
  no_available_channel: { status: 503, type: 'server_error' },
  /** On the wire `no_available_channel`: the log alone tells them apart. */
  model_not_in_group: { status: 503, type: 'server_error' },
  not_admitting: { status: 503, type: 'server_error' },
  shutting_down: { status: 503, type: 'server_error' },
  database_unavailable: { status: 503, type: 'server_error' },
  not_logged_in: { status: 401, type: 'invalid_request_error' },
  admin_address_not_allowed: { status: 403, type: 'permission_error' },
  admin_second_factor_required: { status: 403, type: 'permission_error' },
  access_token_not_supported: { status: 400, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  too_many_requests: { status: 429, type: 'rate_limit_error' },
  overloaded: { status: 503, type: 'server_error' },
  client_gone: { status: 499, type: 'invalid_request_error' },
  unknown_path: { status: 404, type: 'invalid_request_error' },
  api_not_implemented: { status: 501, type: 'api_error' },
  upstream_unreachable: { status: 502, type: 'upstream_error' },
  upstream_unauthorized: { status: 502, type: 'upstream_error' },
  upstream_unavailable: { status: 503, type: 'upstream_error' },
  upstream_malformed: { status: 502, type: 'upstream_error' },
  upstream_empty: { status: 502, type: 'upstream_error' },
  upstream_timeout: { status: 504, type: 'upstream_error' },
  internal_error: { status: 500, type: 'server_error' },
} as const satisfies Record<string, { readonly status: number; readonly type: string }>

export type RelayErrorCode = keyof typeof relayErrors

/** The error as every public format encodes it. */
export function apiErrorOf(error: RelayError, requestId: string): ApiError {
  const { status, publicMessage, type, param, wireCode: code, retryAfterSeconds, failure = {} } = error
  const message = `${publicMessage} (request id: ${requestId})`
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return { status, message, requestId, type, param, code, ...retry, ...failure }
}

/** Returns the error for a call whose balance covered its estimate and does not cover its actual cost. */
export function insufficientQuota(): RelayError {
  return new RelayError(
    'insufficient_user_quota',
    'Insufficient quota: the response costs more than the balance. Top up, or ask for less output.',
  )
}

/** A fault of ours, whose cause only the log knows. */
export function internalError(): RelayError {
  return new RelayError('internal_error', 'Internal server error. Tell the administrator the request id.')
}

interface RelayErrorDetails {
  readonly param?: string | null
  /** Instead of the table's, when an upstream's own figures are passed on. */
  readonly status?: number
  readonly type?: string
  readonly upstreamCode?: string
  /** Figures and names in the message, so that it can be translated. */
  readonly messageParams?: Readonly<Record<string, string | number>>
  readonly retryAfterSeconds?: number
  /** Headers of the error response, beside those of every response. */
  readonly headers?: Readonly<Record<string, string>>
  /** Failure of an upstream, for the words by which the caller's format knows it. */
  readonly failure?: Pick<UpstreamErrorInfo, 'kind' | 'tokens'>
  readonly cause?: unknown
}

/** A call ends in an error. `publicMessage` reaches the caller and says what to do; `cause` only the log. */
export class RelayError extends Error {
  override readonly name = 'RelayError'
  readonly code: RelayErrorCode | 'upstream_error'
  readonly status: number
  readonly type: string
  readonly param: string | null
  /** The `code` field on the wire: the upstream's own where it gave one. */
  readonly wireCode: string
  readonly messageParams: Readonly<Record<string, string | number>>
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly failure: RelayErrorDetails['failure']

  constructor(
    code: RelayErrorCode | 'upstream_error',
    publicMessage: string,
    details: RelayErrorDetails = {},
  ) {
    super(publicMessage, details.cause === undefined ? undefined : { cause: details.cause })
    const known = code === 'upstream_error' ? { status: 502, type: 'upstream_error' } : relayErrors[code]
    this.code = code
    this.status = details.status ?? known.status
    this.type = details.type ?? known.type
    this.param = details.param ?? null
    this.wireCode = details.upstreamCode ?? code
    this.messageParams = details.messageParams ?? {}
    this.retryAfterSeconds = details.retryAfterSeconds
    this.headers = details.headers ?? {}
    this.failure = details.failure
  }

  get publicMessage(): string {
    return this.message
  }
}

/** Refuses an endpoint that is not served. SDKs repeat a call that a server fails; the header stops them. */
export function notImplemented(): RelayError {
  return new RelayError('api_not_implemented', 'API not implemented', {
    headers: { 'x-should-retry': 'false' },
  })
}
