import {
  decodeErrorBody,
  type UpstreamErrorInfo,
  type UpstreamErrorKind,
  type UpstreamFailure,
} from '@tollgate/formats'

/** Codes are names with what is special about them behind a dot. https://cloud.tencent.com/document/api/1729/101842 */
const kinds: readonly (readonly [RegExp, UpstreamErrorKind])[] = [
  [/^(AuthFailure\b|UnauthorizedOperation\b)/, 'unauthorized'],
  [/^(FailedOperation\.ResourcePackExhausted|ResourceInsufficient)/, 'quota'],
  [/^FailedOperation\.(ServiceNotActivated|ServiceStop)/, 'forbidden'],
  [/^(LimitExceeded|RequestLimitExceeded)/, 'rate_limited'],
  [/^(InvalidParameter|MissingParameter|UnknownParameter|UnsupportedOperation)/, 'bad_request'],
  [/^(FailedOperation|InternalError)/, 'upstream_bug'],
]

export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const error = decodeErrorBody(failure)
  const kind = kinds.find(([pattern]) => pattern.test(error.code))?.[1]
  return kind === undefined ? error : decodeErrorBody(failure, { [error.code]: kind })
}
