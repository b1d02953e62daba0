import { type EncodeTarget, RequestFault } from '../canonical/codec.ts'
import type { UpstreamErrorInfo, UpstreamFailure } from '../errors/upstream-error.ts'
import { decodeUtf8 } from '../json/utf8.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../json/value.ts'
import type { BufferedResponse } from '../streams/response-body.ts'
import { DeliveredText } from '../streams/stream-meter.ts'
import type { WireResponse } from './plain-codec.ts'
import { readMediaUsage } from './responses.ts'

/** Formats of `response_format` other than JSON, and their media types. */
const textTypes: Readonly<Record<string, string>> = {
  text: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
}

/** The media type of a transcription in a format that is text; `undefined` for JSON. */
export function transcriptType(format: string): string | undefined {
  return Object.hasOwn(textTypes, format) ? textTypes[format] : undefined
}

/** Recognises a transcription that came in a text format. Groq labels its texts `application/json`: there the body decides. */
export function isTranscriptText(response: WireResponse, format: string): boolean {
  if (transcriptType(format) === undefined) return false
  return !/^application\/json/i.test(response.contentType) || !isObject(response.json)
}

/**
 * Reads a buffered 2xx response with a transcription. An error in it, or a body of another shape, is a failure. Its usage
 * holds tokens where the upstream counted them, and the seconds of audio where it reports them.
 * @param format as the caller asked for it; empty for JSON
 */
export function readTranscription(
  response: WireResponse,
  format: string,
  decodeError: (failure: UpstreamFailure) => UpstreamErrorInfo,
): BufferedResponse & { readonly seconds?: number } {
  const body = isTranscriptText(response, format) ? { text: decodeUtf8(response.bytes) } : response.json
  if (!isObject(body) || typeof body.text !== 'string' || isObject(body.error))
    return { ok: false, error: decodeError({ status: 200, headers: {}, body: decodeUtf8(response.bytes) }) }
  const { text, usage, duration } = body
  const { seconds = duration } = objectOf(usage)
  return {
    ok: true,
    usage: readMediaUsage(usage, 'text'),
    ...(typeof seconds === 'number' && { seconds }),
    delivered: () => deliveredText(text),
  }
}

function deliveredText(text: string) {
  const delivered = new DeliveredText()
  delivered.append(text)
  return delivered.read()
}

/** A call to `/v1/audio/transcriptions` beside its file. Texts are empty when the caller did not say. */
interface TranscriptionRequest {
  /** True for a text in English, whatever is spoken. */
  readonly translate: boolean
  readonly language: string
  readonly prompt: string
  /** `json`, `text`, `verbose_json` or `vtt`: the others are refused before. */
  readonly format: string
}

/** Form in which an upstream gets the recording: as the body itself, or as base64 in a member of a JSON object. */
export type EncodedTranscription = {
  /** Fields that were left out and do not change the response. */
  readonly dropped: readonly string[]
} & (
  | { readonly kind: 'bytes' }
  | { readonly kind: 'base64'; readonly body: JsonObject; readonly member: string }
)

/** Text that an upstream understood of a recording. */
export interface TranscriptionResponse {
  readonly text: string
  /** Seconds. */
  readonly duration?: number
  readonly language?: string
  /** The text with its times, as WebVTT. */
  readonly vtt?: string
  readonly words?: readonly unknown[]
  readonly segments?: readonly unknown[]
}

/** Translates transcriptions, whose requests are forms, between the public form and an upstream's own. Pure. */
export interface TranscriptionCodec {
  /** @throws RequestFault for a field that the upstream cannot express and whose loss would change the response */
  encodeRequest(request: TranscriptionRequest, target: EncodeTarget): EncodedTranscription
  /** Reads a 2xx response; `undefined` for a failure in it. */
  decodeResponse(json: unknown): TranscriptionResponse | undefined
}

const formats = ['', 'json', 'text', 'verbose_json', 'vtt']

/**
 * @param fields of a form that has passed the checks of its mode
 * @throws RequestFault for a format that only an upstream of the public form writes
 */
export function decodeTranscriptionRequest(fields: JsonObject, translate: boolean): TranscriptionRequest {
  const format = textOf(fields.response_format)
  if (!formats.includes(format)) throw unsupported('response_format', `response_format ${format}`)
  if (fields.stream === true) throw unsupported('stream', 'stream')
  return {
    translate,
    language: textOf(fields.language),
    prompt: textOf(fields.prompt),
    format: format || 'json',
  }
}

function unsupported(param: string, what: string): RequestFault {
  return new RequestFault(
    `${what} is not supported by the upstream that serves the model`,
    param,
    'unsupported_parameter',
  )
}

/** The body for the caller, and its media type; `undefined` when the upstream left out what the format needs. */
export function encodeTranscription(
  response: TranscriptionResponse,
  { format, translate }: TranscriptionRequest,
): { readonly contentType: string; readonly body: string } | undefined {
  const { text, vtt, ...details } = response
  const contentType = transcriptType(format) ?? 'application/json'
  if (format === 'vtt') return vtt === undefined ? undefined : { contentType, body: vtt }
  if (format === 'text') return { contentType, body: `${text}\n` }
  const reported =
    format === 'verbose_json' ? { task: translate ? 'translate' : 'transcribe', ...details } : {}
  return { contentType, body: JSON.stringify({ ...reported, text }) }
}
