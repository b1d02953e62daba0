import type { TextFrame } from '../../canonical/codec.ts'
import { decodeErrorBody } from '../../errors/decode-error.ts'
import { statusOfKind } from '../../errors/error-kind.ts'
import type {
  ApiError,
  UpstreamErrorInfo,
  UpstreamErrorKind,
  UpstreamFailure,
} from '../../errors/upstream-error.ts'

/** Types whose meaning the status does not say, or that come inside a 200. https://platform.claude.com/docs/en/api/errors */
const typeKinds: Readonly<Record<string, UpstreamErrorKind>> = {
  billing_error: 'quota',
  not_found_error: 'not_found',
  request_too_large: 'bad_request',
  timeout_error: 'timeout',
}

/** Reads a refusal, or an error event of a stream (as status 200). Never throws. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const info = decodeErrorBody(failure)
  const isInsideSuccess = failure.status >= 200 && failure.status < 400
  const kind = kindOf(info, isInsideSuccess)
  const typed = info.type !== 'upstream_error' && info.code === 'bad_response_status_code'
  return {
    ...info,
    kind,
    status: isInsideSuccess ? statusOfKind(kind) : info.status,
    code: typed ? info.type : info.code,
  }
}

function kindOf({ kind, type }: UpstreamErrorInfo, isInsideSuccess: boolean): UpstreamErrorKind {
  if (Object.hasOwn(typeKinds, type)) return typeKinds[type] ?? kind
  return isInsideSuccess && type === 'invalid_request_error' && kind === 'upstream_bug' ? 'bad_request' : kind
}

const statusTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** SDKs of this format distinguish errors by `error.type`. */
export function encodeError({ status, message, requestId = '' }: ApiError): unknown {
  const other = status > 400 && status < 500 ? 'invalid_request_error' : 'api_error'
  return {
    type: 'error',
    error: { type: statusTypes[status] ?? other, message },
    request_id: requestId === '' ? null : requestId,
  }
}

/** An error as the last event of a stream. */
export function encodeStreamError(error: ApiError): readonly TextFrame[] {
  return [{ event: 'error', data: JSON.stringify(encodeError(error)) }]
}
