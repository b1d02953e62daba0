import type { TextFrame } from '../../canonical/codec.ts'
import { decodeErrorBody } from '../../errors/decode-error.ts'
import type {
  ApiError,
  UpstreamErrorInfo,
  UpstreamErrorKind,
  UpstreamFailure,
} from '../../errors/upstream-error.ts'
import { isObject, type JsonObject, listOf, objectOf, parseJson, textOf } from '../../json/value.ts'

/** `google.rpc.Code`, as `error.status` names it. */
const kindOfStatus: Readonly<Record<string, UpstreamErrorKind>> = {
  INVALID_ARGUMENT: 'bad_request',
  FAILED_PRECONDITION: 'bad_request',
  OUT_OF_RANGE: 'bad_request',
  UNAUTHENTICATED: 'unauthorized',
  PERMISSION_DENIED: 'forbidden',
  NOT_FOUND: 'not_found',
  UNIMPLEMENTED: 'not_found',
  // Daily and minute quotas alike: they come back by themselves, and RetryInfo says when.
  RESOURCE_EXHAUSTED: 'rate_limited',
  UNAVAILABLE: 'overloaded',
  ABORTED: 'overloaded',
  DEADLINE_EXCEEDED: 'timeout',
  CANCELLED: 'upstream_bug',
  INTERNAL: 'upstream_bug',
  UNKNOWN: 'upstream_bug',
  DATA_LOSS: 'upstream_bug',
}

/** `reason` of a `google.rpc.ErrorInfo`; it knows better than the status: a bad key is an INVALID_ARGUMENT. */
const kindOfReason: Readonly<Record<string, UpstreamErrorKind>> = {
  API_KEY_INVALID: 'unauthorized',
  API_KEY_EXPIRED: 'unauthorized',
  CREDENTIALS_MISSING: 'unauthorized',
  ACCESS_TOKEN_EXPIRED: 'unauthorized',
  ACCESS_TOKEN_TYPE_UNSUPPORTED: 'unauthorized',
  BILLING_DISABLED: 'quota',
}

/** Causes that the message alone shows. They match at its beginning, before any text that the caller may have written. */
const kindOfMessage: readonly (readonly [RegExp, UpstreamErrorKind])[] = [
  [/^api key (not valid|expired)/i, 'unauthorized'],
  [/^user location is not supported/i, 'forbidden'],
  [/^your prepayment credits are depleted/i, 'quota'],
]

/** Reads a refusal in Google's shape; another shape is read as any upstream's. Never throws. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const info = decodeErrorBody(failure)
  const error = errorOf(parseJson(failure.body))
  if (error === undefined) return info
  const details = listOf(error.details).filter(isObject)
  const wait = info.retryAfterMs ?? retryDelayMs(details)
  return {
    ...info,
    kind: kindOf(error, details) ?? info.kind,
    param: info.param ?? violatedField(details),
    ...(wait !== undefined && { retryAfterMs: wait }),
  }
}

/** Streams wrap the error in a list of one. */
function errorOf(body: unknown): JsonObject | undefined {
  const error = objectOf(Array.isArray(body) ? body[0] : body).error
  return isObject(error) ? error : undefined
}

function kindOf(error: JsonObject, details: readonly JsonObject[]): UpstreamErrorKind | undefined {
  const byReason = details.map(({ reason }) => own(kindOfReason, textOf(reason))).find(Boolean)
  if (byReason !== undefined) return byReason
  const message = textOf(error.message)
  const byMessage = kindOfMessage.find(([pattern]) => pattern.test(message))
  return byMessage?.[1] ?? own(kindOfStatus, textOf(error.status))
}

/** `google.rpc.RetryInfo` gives seconds, as `"12.5s"`. */
function retryDelayMs(details: readonly JsonObject[]): number | undefined {
  for (const { retryDelay } of details) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(retryDelay))?.[1]
    if (seconds !== undefined) return Math.min(Math.round(Number(seconds) * 1000), longestWaitMs)
  }
  return undefined
}

const longestWaitMs = 24 * 60 * 60 * 1000

function violatedField(details: readonly JsonObject[]): string | null {
  const violations = details.flatMap(({ fieldViolations }) => listOf(fieldViolations))
  return violations.map((violation) => textOf(objectOf(violation).field)).find(Boolean) ?? null
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

const statusNames: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  410: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
}

/** The body of a response that is an error. */
export function encodeError(error: ApiError): Readonly<Record<string, unknown>> {
  const { status, message } = error
  const name = statusNames[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT')
  const details = detailsOf(error)
  return { error: { code: status, message, status: name, ...(details.length > 0 && { details }) } }
}

/** The field at fault, and how long to wait: https://cloud.google.com/apis/design/errors#error_details */
function detailsOf({ message, param, retryAfterSeconds }: ApiError): readonly object[] {
  const violation = {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field: param, description: message }],
  }
  const retry = {
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay: `${retryAfterSeconds}s`,
  }
  return [...(param === null ? [] : [violation]), ...(retryAfterSeconds === undefined ? [] : [retry])]
}

/** An error as the last chunk of a stream. */
export function encodeStreamError(error: ApiError): readonly TextFrame[] {
  return [{ data: JSON.stringify(encodeError(error)) }]
}
