import type { TextFrame } from '../../canonical/codec.ts'
import { inWordsOf, openAiNamesOf } from '../../errors/dialect-words.ts'
import type { ApiError } from '../../errors/upstream-error.ts'
import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, objectOf } from '../../json/value.ts'

/** An error as callers of this format read it. Its message must already be fit for their eyes. */
export type OpenAiError = Omit<ApiError, 'status'>

/** An error as the body of a response. */
export function encodeError(error: OpenAiError): unknown {
  const { message } = inWordsOf('openai-chat', error)
  const { type, param, code } = openAiNamesOf(error)
  return { error: { message, type, param, code } }
}

/** The last event of a stream that failed after its start. No `[DONE]` follows: it would mean success. */
export function encodeStreamError(error: OpenAiError): readonly TextFrame[] {
  return [{ data: JSON.stringify(encodeError(error)) }]
}

/** Response body of a refused or failed call. */
export function encodeErrorBody(error: OpenAiError, requestId: string): string {
  return JSON.stringify(encodeError({ ...error, message: `${error.message} (request id: ${requestId})` }))
}

/** The same as the last event of a stream. */
export function encodeErrorEvent(error: OpenAiError, requestId: string): string {
  return `data: ${encodeErrorBody(error, requestId)}\n\n`
}

/** Failures as upstreams put them into a 200: an error member, MiniMax's status, or a bare code and message. */
export function isFailure(body: JsonObject): boolean {
  const error = body.error
  if (typeof error === 'string' ? error !== '' : isObject(error)) return true
  const status = numberOf(objectOf(body.base_resp).status_code) ?? 0
  if (status !== 0) return true
  if (body.success === false) return true
  return !Array.isArray(body.choices) && !Array.isArray(body.data) && typeof body.message === 'string'
}
