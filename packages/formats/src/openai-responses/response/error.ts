import type { ErrorContext, TextFrame } from '../../canonical/codec.ts'
import { type CodeKinds, decodeErrorBody } from '../../errors/decode-error.ts'
import { inWordsOf, responsesNamesOf } from '../../errors/dialect-words.ts'
import type { ApiError, UpstreamErrorInfo, UpstreamFailure } from '../../errors/upstream-error.ts'
import { isObject, type JsonObject, objectOf, parseJson } from '../../json/value.ts'
import { failedResponse, responseHead, responseIdFor } from './response-object.ts'

/** Codes of responses that failed; others mean what they mean everywhere. https://platform.openai.com/docs/api-reference/responses/object */
const ownKinds: CodeKinds = {
  invalid_prompt: 'bad_request',
  invalid_image: 'bad_request',
  invalid_base64_image: 'bad_request',
  image_too_large: 'bad_request',
  image_parse_error: 'bad_request',
  image_content_policy_violation: 'content_policy',
}

/** Reads a refusal, a response that failed, or an event that says so. Never throws. */
export function decodeError(failure: UpstreamFailure, codeKinds: CodeKinds = {}): UpstreamErrorInfo {
  const error = errorIn(parseJson(failure.body))
  const body = error === undefined ? failure.body : JSON.stringify({ error })
  return decodeErrorBody({ ...failure, body }, { ...ownKinds, ...codeKinds })
}

/** `undefined` for bodies in another shape, which the common reader knows. */
function errorIn(body: unknown): JsonObject | undefined {
  if (!isObject(body) || isObject(body.error)) return undefined
  if (body.type === 'error') {
    const { code, message, param } = body
    return { code, message, param }
  }
  const failed = objectOf(body.response).error
  return isObject(failed) ? failed : undefined
}

/** The failure that a parsed event or response reports. */
export function failureOf(body: unknown): UpstreamErrorInfo {
  return decodeError({ status: 200, headers: {}, body: JSON.stringify(body) ?? '' })
}

/**
 * The events that end a stream which failed after its start. SDKs look for `error` in the first one, some clients only at
 * the response of the second one.
 */
export function encodeStreamError(failure: ApiError, call: ErrorContext): readonly TextFrame[] {
  const error = asCallersRead(failure)
  const { type, ...received } = errorEvent(error)
  const head = responseHead(responseIdFor('', call), call.createdAt, call)
  const response = { ...head, ...failedResponse(error) }
  return [
    frameOf({ type, sequence_number: 0, ...received }),
    frameOf({ type: 'response.failed', sequence_number: 1, response }),
  ]
}

/** The body of a response that is an error. */
export function encodeError(failure: ApiError): unknown {
  const { message, type, param, code } = asCallersRead(failure)
  return { error: { message, type, param, code } }
}

/** An error in the words and codes of this format. */
export function asCallersRead(error: ApiError): ApiError {
  return { ...inWordsOf('openai-responses', error), ...responsesNamesOf(error) }
}

/** The first of them, without its number. */
export function errorEvent({ message, type, param, code }: ApiError): JsonObject {
  return { type: 'error', code, message, param, error: { type, code, message, param } }
}

/** An event as a frame. */
export function frameOf(event: JsonObject): TextFrame {
  return { event: String(event.type), data: JSON.stringify(event) }
}
