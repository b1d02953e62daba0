import type { TextFrame } from '../../canonical/codec.ts'
import { decodeErrorBody } from '../../errors/decode-error.ts'
import { inWordsOf } from '../../errors/dialect-words.ts'
import { kindOfName, kindOfWords } from '../../errors/error-kind.ts'
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

/**
 * Causes that the message alone shows, although the status names another one. They match at its beginning, before any text that
 * the caller may have written.
 */
const kindOfMessage: readonly (readonly [RegExp, UpstreamErrorKind])[] = [
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
  // The reason of a google.rpc.ErrorInfo knows better than the status: a bad key is an INVALID_ARGUMENT.
  const byReason = details.map(({ reason }) => kindOfName(textOf(reason))).find(Boolean)
  if (byReason !== undefined) return byReason
  const message = textOf(error.message)
  const byMessage = kindOfMessage.find(([pattern]) => pattern.test(message))
  const status = textOf(error.status)
  // Google says "You exceeded your current quota" of limits by the minute too.
  const byWords = status === 'RESOURCE_EXHAUSTED' ? undefined : kindOfWords(0, message)
  return byMessage?.[1] ?? byWords ?? own(kindOfStatus, status)
}

/** `google.rpc.RetryInfo` gives seconds, as `"12.5s"`. */
function retryDelayMs(details: readonly JsonObject[]): number | undefined {
  for (const { retryDelay } of details) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(retryDelay))?.[1]
    if (seconds !== undefined) return Math.min(Math.round(Number(seconds) * 1000), maxWaitMs)
  }
  return undefined
}

const maxWaitMs = 24 * 60 * 60 * 1000

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
export function encodeError(failure: ApiError): Readonly<Record<string, unknown>> {
  const error = inWordsOf('gemini', failure)
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
