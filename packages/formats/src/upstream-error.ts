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

/** An upstream's refusal as its wire format told it; texts are the upstream's own and not yet redacted. */
export interface UpstreamErrorInfo {
  readonly kind: UpstreamErrorKind
  /** HTTP status the upstream answered with; 0 when there was no answer. */
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string | null
}

/** A failed answer as it came off the wire. */
export interface UpstreamFailure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Body text, cut to a sane length by the caller. */
  readonly body: string
}
