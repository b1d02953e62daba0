import type { ChatAnswer } from '../canonical/answer.ts'
import type { AnswerReading } from '../canonical/codec.ts'
import { collectAnswer } from '../collect-answer.ts'
import { decodeErrorBody } from '../decode-error.ts'
import { isObject, type JsonObject, listOf } from '../json-value.ts'
import { isFailedChunk, newChunkState, readChunk } from './decode-stream.ts'

/** Reads a whole answer. An error in its body, or a body that is no answer, is a failure. */
export function decodeAnswer(body: unknown): AnswerReading {
  if (isAnswer(body)) return { ok: true, answer: answerOf(body) }
  const text = JSON.stringify(body) ?? ''
  return { ok: false, error: decodeErrorBody({ status: 200, headers: {}, body: text }) }
}

/** No choice is no answer, as a stream without an event is none. */
export function isAnswer(body: unknown): body is JsonObject {
  return isObject(body) && !isFailedChunk(body) && listOf(body.choices).length > 0
}

export function answerOf(body: JsonObject): ChatAnswer {
  return collectAnswer(readChunk(newChunkState(), body))
}
