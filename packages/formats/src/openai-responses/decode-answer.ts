import type { AnswerReading } from '../canonical/codec.ts'
import { collectAnswer } from '../collect-answer.ts'
import { objectOf } from '../json-value.ts'
import { hasFailed, readResponse } from './decode-stream.ts'
import { failureOf } from './error.ts'

/** Reads a 2xx answer; an error in it, or what is no response, is a failure. Never throws. */
export function decodeAnswer(body: unknown): AnswerReading {
  const response = objectOf(body)
  if (hasFailed(response) || !Array.isArray(response.output)) return { ok: false, error: failureOf(body) }
  return { ok: true, answer: collectAnswer(readResponse(response)) }
}
