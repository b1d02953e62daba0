import type { DecodedResponse } from '../canonical/codec.ts'
import type { ChatResponse } from '../canonical/response.ts'
import { collectResponse } from '../collect-response.ts'
import { decodeErrorBody } from '../decode-error.ts'
import { isObject, type JsonObject, listOf } from '../json-value.ts'
import { isFailedChunk, newChunkState, readChunk } from './decode-stream.ts'

/** Reads a whole answer. An error in its body, or a body that is no answer, is a failure. */
export function decodeResponse(body: unknown): DecodedResponse {
  if (isResponse(body)) return { ok: true, response: responseOf(body) }
  const text = JSON.stringify(body) ?? ''
  return { ok: false, error: decodeErrorBody({ status: 200, headers: {}, body: text }) }
}

/** No choice is no answer, as a stream without an event is none. */
export function isResponse(body: unknown): body is JsonObject {
  return isObject(body) && !isFailedChunk(body) && listOf(body.choices).length > 0
}

export function responseOf(body: JsonObject): ChatResponse {
  return collectResponse(readChunk(newChunkState(), body))
}
