import type { ChatCodec, EncodeContext, UpstreamCodec } from '../canonical/codec.ts'
import type { FormatName } from '../canonical/request.ts'
import { SseScanner } from '../framing/sse.ts'
import { decodeUtf8 } from '../json/utf8.ts'
import { isObject, type JsonObject, listOf, objectOf, parseJson, textOf } from '../json/value.ts'
import { ResponseCollector } from '../streams/collect-response.ts'
import type { TranslatedResponse } from '../streams/response-body.ts'
import { settleCalls } from '../streams/settle-calls.ts'
import { ResponseStream, type ResponseStreamOptions } from './response-stream.ts'

/** Options for reading a stream that came where a body was expected. */
type StreamedBodyOptions = Pick<
  ResponseStreamOptions,
  'scanner' | 'unwrap' | 'decoder' | 'maxFrameBytes' | 'decodeError'
>

/**
 * Reads a stream that answers a call for a buffered response, as one response for a caller of any format. Its count is judged
 * as a stream's is; one that breaks off is a failure, because the caller could not tell it from a complete response.
 */
export function collectBody(
  bytes: Uint8Array,
  options: StreamedBodyOptions,
  encoder: ChatCodec,
  call: EncodeContext,
): TranslatedResponse {
  const collector = new ResponseCollector()
  const stream = new ResponseStream({ ...options, encode: { collector } })
  stream.push(bytes)
  const { error } = stream.end()
  if (error !== undefined) return { ok: false, error }
  if (stream.outcome !== 'complete') return { ok: false, error: brokenOff }
  const collected = collector.response()
  const settled =
    options.decoder.format === encoder.format
      ? ({ ok: true, response: collected } as const)
      : settleCalls(collected, encoder.callRules, call.stopSequences)
  if (!settled.ok) return settled
  const { response } = settled
  const fault = encoder.faultOf?.(response)
  if (fault !== undefined) return { ok: false, error: fault }
  const { usage, latestUsage } = stream
  return {
    ok: true,
    usage,
    latestUsage,
    leftOut: response.leftOut,
    delivered: () => stream.delivered(),
    encode: (charged) =>
      bodyInStream(bytes, options.decoder, encoder.format) ??
      JSON.stringify(encoder.encodeResponse({ ...response, usage: charged }, call)),
  }
}

const brokenOff = {
  kind: 'upstream_bug',
  status: 502,
  message: 'the upstream sent a stream instead of a response, and it broke off',
  type: 'upstream_error',
  code: '',
  param: null,
} as const

/** The response that the last event of OpenAI's Responses repeats, for callers of the same format. */
function bodyInStream(bytes: Uint8Array, decoder: UpstreamCodec, format: FormatName): string | undefined {
  if (format !== 'openai-responses' || decoder.format !== format) return undefined
  const scanner = new SseScanner(bytes.length + 1)
  const frames = [...scanner.push(bytes), ...scanner.end()]
  const responses = frames.flatMap(({ data }) =>
    data === undefined ? [] : completeIn(parseJson(decodeUtf8(data))),
  )
  const last = responses.at(-1)
  return last && JSON.stringify(last)
}

function completeIn(event: unknown): readonly JsonObject[] {
  const { type, response } = objectOf(event)
  const isLast = textOf(type) === 'response.completed' || textOf(type) === 'response.incomplete'
  return isLast && isObject(response) && listOf(response.output).length > 0 ? [response] : []
}
