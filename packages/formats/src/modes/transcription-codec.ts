import { type EncodeTarget, RequestFault } from '../canonical/codec.ts'
import { type JsonObject, textOf } from '../json-value.ts'
import { transcriptType } from './transcription.ts'

/** What a call to `/v1/audio/transcriptions` asks beside its file. Texts are empty when the caller did not say. */
export interface TranscriptionRequest {
  /** In English, whatever is spoken. */
  readonly translate: boolean
  readonly language: string
  readonly prompt: string
  /** `json`, `text`, `verbose_json` or `vtt`: the others are refused before. */
  readonly format: string
}

/** How an upstream is sent the recording: as the body itself, or as base64 in a member of a JSON object. */
export type EncodedTranscription = {
  /** What was left out and does not change the answer. */
  readonly dropped: readonly string[]
} & (
  | { readonly kind: 'bytes' }
  | { readonly kind: 'base64'; readonly body: JsonObject; readonly member: string }
)

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
  /** @throws RequestFault for what the upstream cannot be told and would change the answer */
  encodeRequest(request: TranscriptionRequest, target: EncodeTarget): EncodedTranscription
  /** Reads a 2xx answer; `undefined` when it is none. */
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

/** The body for the caller, and its media type; `undefined` where the upstream did not tell what the format needs. */
export function encodeTranscription(
  response: TranscriptionResponse,
  { format, translate }: TranscriptionRequest,
): { readonly contentType: string; readonly body: string } | undefined {
  const { text, vtt, ...details } = response
  const contentType = transcriptType(format) ?? 'application/json'
  if (format === 'vtt') return vtt === undefined ? undefined : { contentType, body: vtt }
  if (format === 'text') return { contentType, body: `${text}\n` }
  const told = format === 'verbose_json' ? { task: translate ? 'translate' : 'transcribe', ...details } : {}
  return { contentType, body: JSON.stringify({ ...told, text }) }
}
