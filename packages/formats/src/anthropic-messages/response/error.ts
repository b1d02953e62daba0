import type { TextFrame } from '../../canonical/codec.ts'
import { decodeErrorBody } from '../../errors/decode-error.ts'
import { inWordsOf } from '../../errors/dialect-words.ts'
import { statusOfKind } from '../../errors/error-kind.ts'
import {
  type ApiError,
  isOperatorMatter,
  type UpstreamErrorInfo,
  type UpstreamErrorKind,
  type UpstreamFailure,
} from '../../errors/upstream-error.ts'

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

/** Types of failures whose status may be another one: inside a stream, or where the operator maps it. */
const kindTypes: Readonly<Partial<Record<UpstreamErrorKind, string>>> = {
  context_overflow: 'invalid_request_error',
  output_limit: 'invalid_request_error',
  content_policy: 'invalid_request_error',
  rate_limited: 'rate_limit_error',
  overloaded: 'overloaded_error',
  model_not_found: 'not_found_error',
}

function typeOf({ status, kind }: ApiError): string {
  const byKind = kind === undefined ? undefined : kindTypes[kind]
  if (byKind !== undefined) return byKind
  // Not `overloaded_error`: agents would wait for an account of the operator as for a busy server.
  if (kind !== undefined && isOperatorMatter(kind)) return 'api_error'
  return statusTypes[status] ?? (status > 400 && status < 500 ? 'invalid_request_error' : 'api_error')
}

/** SDKs of this format distinguish errors by `error.type`. */
export function encodeError(error: ApiError): unknown {
  const { message, requestId = '' } = inWordsOf('anthropic-messages', error)
  return {
    type: 'error',
    error: { type: typeOf(error), message },
    request_id: requestId === '' ? null : requestId,
  }
}

/** An error as the last event of a stream. */
export function encodeStreamError(error: ApiError): readonly TextFrame[] {
  return [{ event: 'error', data: JSON.stringify(encodeError(error)) }]
}
