import { believableUsage, deliveredIn } from './answer-text.ts'
import type { ChatAnswer } from './canonical/answer.ts'
import type { AnsweredCall, AnswerReading, ChatCodec, UpstreamCodec } from './canonical/codec.ts'
import type { Delivered } from './delivered-text.ts'
import { parseJson } from './json-value.ts'
import { frameFailure } from './stream-reader.ts'
import type { UpstreamErrorInfo, UpstreamFailure } from './upstream-error.ts'
import type { Usage } from './usage.ts'

/** A whole answer, read but not changed: the caller gets its bytes as received. */
export type Answer = ReadAnswer | { readonly ok: false; readonly error: UpstreamErrorInfo }

interface ReadAnswer {
  readonly ok: true
  /** The upstream's count; `undefined` when it sent none that can be charged. */
  readonly usage: Usage | undefined
  /** Its count, whether or not it can be charged as it is. */
  readonly latestUsage?: Usage | undefined
  /** Of an answer of images: how many it holds. */
  readonly made?: number
  /** What the answer delivered, for counting when there is no usage. */
  delivered(): Delivered
}

/** A whole answer for a caller of another format. */
export type ConvertedAnswer =
  | (ReadAnswer & {
      /** The body for the caller, with the usage that is charged. */
      encode(charged: Usage | undefined): string
    })
  | { readonly ok: false; readonly error: UpstreamErrorInfo }

/** What a provider knows better of its failures than its format does. */
type DecodeError = (failure: UpstreamFailure) => UpstreamErrorInfo

/** Reads a 2xx answer that passes as received. An error in its body, or a body that is no answer, is a failure. */
export function readAnswer(body: string, decoder: UpstreamCodec, decodeError?: DecodeError): Answer {
  const answer = decodeBody(body, decoder, decodeError)
  return 'error' in answer ? { ok: false, error: answer.error } : readingOf(answer)
}

/** Reads a 2xx answer for a caller of another format. */
export function convertAnswer(
  body: string,
  decoder: UpstreamCodec,
  encoder: ChatCodec,
  call: AnsweredCall,
  decodeError?: DecodeError,
): ConvertedAnswer {
  const answer = decodeBody(body, decoder, decodeError)
  if ('error' in answer) return { ok: false, error: answer.error }
  const fault = encoder.faultOf?.(answer)
  if (fault !== undefined) return { ok: false, error: fault }
  return {
    ...readingOf(answer),
    encode: (usage) => JSON.stringify(encoder.encodeAnswer({ ...answer, usage }, call)),
  }
}

function decodeBody(
  body: string,
  decoder: UpstreamCodec,
  decodeError: DecodeError | undefined,
): ChatAnswer | { readonly error: UpstreamErrorInfo } {
  const reading = readingOfBody(body, decoder)
  if (reading.ok) return reading.answer
  return { error: decodeError?.({ status: 200, headers: {}, body }) ?? reading.error }
}

/** A body may be the text of a stream, whose events may be malformed. */
function readingOfBody(body: string, decoder: UpstreamCodec): AnswerReading {
  const parsed = parseJson(body)
  try {
    return decoder.decodeAnswer(parsed === undefined ? body : parsed)
  } catch (error) {
    return { ok: false, error: frameFailure(error) }
  }
}

function readingOf(answer: ChatAnswer): ReadAnswer {
  const delivered = () => deliveredIn(answer)
  const { usage: latestUsage } = answer
  return { ok: true, usage: believableUsage(latestUsage, delivered), latestUsage, delivered }
}
