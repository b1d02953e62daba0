import { DeliveredText } from '../delivered-text.ts'
import { isObject, objectOf } from '../json-value.ts'
import type { BufferedResponse } from '../response-body.ts'
import type { UpstreamErrorInfo, UpstreamFailure } from '../upstream-error.ts'
import { decodeUtf8 } from '../utf8.ts'
import { readMediaUsage } from './media-usage.ts'
import type { WireResponse } from './plain-codec.ts'

/** Formats of `response_format` that are no JSON, and their media types. */
const textTypes: Readonly<Record<string, string>> = {
  text: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
}

/** The media type of a transcription in a format that is text; `undefined` for JSON. */
export function transcriptType(format: string): string | undefined {
  return Object.hasOwn(textTypes, format) ? textTypes[format] : undefined
}

/**
 * Whether a transcription came in a format that is text. Groq names its texts `application/json`: there the body tells.
 */
export function isTranscriptText(response: WireResponse, format: string): boolean {
  if (transcriptType(format) === undefined) return false
  return !/^application\/json/i.test(response.contentType) || !isObject(response.json)
}

/**
 * Reads a whole 2xx answer with a transcription. An error in it, or a body that is no answer, is a failure. Its usage is
 * tokens where the upstream counted such, and the seconds that it heard where it says them.
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
