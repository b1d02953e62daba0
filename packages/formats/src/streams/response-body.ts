import type { ChatCodec, DecodedResponse, EncodeContext, UpstreamCodec } from '../canonical/codec.ts'
import type { AssistantPart } from '../canonical/request.ts'
import type { ChatResponse } from '../canonical/response.ts'
import { clearerError } from '../errors/decode-error.ts'
import type { UpstreamErrorInfo, UpstreamFailure } from '../errors/upstream-error.ts'
import { parseExactJson } from '../json/exact-json.ts'
import { parseJson } from '../json/value.ts'
import { unwrapResponse } from '../schemas/unwrap-parts.ts'
import type { Usage } from '../usage.ts'
import { settleCalls } from './settle-calls.ts'
import { type Delivered, DeliveredText } from './stream-meter.ts'
import { frameFailure } from './stream-reader.ts'

/** Returns what a buffered response delivered, for counting tokens when the upstream sent no usage. */
export function deliveredIn({ candidates }: ChatResponse): Delivered {
  const delivered = new DeliveredText()
  for (const { parts } of candidates) for (const part of parts) appendPart(delivered, part)
  return delivered.read()
}

/** The count of a response; `undefined` for a count of 0 tokens with delivered text. */
export function plausibleUsage(usage: Usage | undefined, delivered: () => Delivered): Usage | undefined {
  if (usage?.totalTokens !== undefined) return undefined
  if (usage?.outputTokens !== 0 || usage.isWithoutModel === true) return usage
  const { text, toolCalls } = delivered()
  return text === '' && toolCalls === 0 ? usage : undefined
}

/** Returns whether a count is charged whatever was delivered. */
export function isCountedAlone(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && usage.totalTokens === undefined && usage.outputTokens > 0
}

function appendPart(delivered: DeliveredText, part: AssistantPart): void {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      delivered.append(part.text)
      return
    case 'tool-call':
      delivered.appendCall(part.name)
      delivered.append(part.arguments)
      return
    case 'media':
  }
}

/** A buffered response, read but not changed: the caller gets its bytes as received. */
export type BufferedResponse = ReadableResponse | { readonly ok: false; readonly error: UpstreamErrorInfo }

interface ReadableResponse {
  readonly ok: true
  /** The upstream's count; `undefined` when it sent none that can be charged. */
  readonly usage: Usage | undefined
  /** Its count, whether or not it can be charged as it is. */
  readonly latestUsage?: Usage | undefined
  /** Number of images in a response of images. */
  readonly made?: number
  /** Returns what the response delivered, for counting when there is no usage. */
  delivered(): Delivered
}

/** A buffered response for a caller of another format. */
export type TranslatedResponse =
  | (ReadableResponse & {
      /** See `ChatResponse.leftOut`. */
      readonly leftOut?: readonly string[] | undefined
      /** The body for the caller, with the usage that is charged. */
      encode(charged: Usage | undefined): string
    })
  | { readonly ok: false; readonly error: UpstreamErrorInfo }

/** Reader of a provider's failures, where they say more than their format does. */
type DecodeError = (failure: UpstreamFailure) => UpstreamErrorInfo

/** Reads a 2xx response that passes as received. An error in its body, or a body of another shape, is a failure. */
export function readResponse(
  body: string,
  decoder: UpstreamCodec,
  decodeError?: DecodeError,
  parse = parseJson,
): BufferedResponse {
  const response = decodeBody(body, parse(body), decoder, decodeError)
  return 'error' in response ? { ok: false, error: response.error } : readingOf(response)
}

/**
 * Reads the same of the outline of a response (`contentOutline`); `undefined` where the response itself decides.
 * @param delivered reads the response itself
 */
export function readOutline(
  outline: unknown,
  decoder: UpstreamCodec,
  delivered: () => Delivered,
): BufferedResponse | undefined {
  const decoded = readingOfBody(outline, decoder)
  const usage = decoded.ok ? decoded.response.usage : undefined
  return isCountedAlone(usage) ? { ok: true, usage, latestUsage: usage, delivered } : undefined
}

/** Reads a 2xx response for a caller of another format. */
export function translateResponse(
  body: string,
  decoder: UpstreamCodec,
  encoder: ChatCodec,
  call: EncodeContext,
  decodeError?: DecodeError,
): TranslatedResponse {
  const decoded = decodeBody(body, parseExactJson(body), decoder, decodeError)
  if ('error' in decoded) return { ok: false, error: decoded.error }
  const settled = settleCalls(unwrapResponse(decoded), encoder.callRules, call.stopSequences)
  if (!settled.ok) return settled
  const { response } = settled
  const fault = encoder.faultOf?.(response)
  if (fault !== undefined) return { ok: false, error: fault }
  return {
    ...readingOf(response),
    leftOut: response.leftOut,
    encode: (usage) => JSON.stringify(encoder.encodeResponse({ ...response, usage }, call)),
  }
}

/** @param parsed the body; `undefined` for one that is not JSON */
function decodeBody(
  body: string,
  parsed: unknown,
  decoder: UpstreamCodec,
  decodeError: DecodeError | undefined,
): ChatResponse | { readonly error: UpstreamErrorInfo } {
  const reading = readingOfBody(parsed === undefined ? body : parsed, decoder)
  if (reading.ok) return reading.response
  return { error: clearerError(decodeError?.({ status: 200, headers: {}, body }), reading.error, body) }
}

/** Reads a body, which may be the text of a stream with malformed events. */
function readingOfBody(body: unknown, decoder: UpstreamCodec): DecodedResponse {
  try {
    return decoder.decodeResponse(body)
  } catch (error) {
    return { ok: false, error: frameFailure(error) }
  }
}

function readingOf(response: ChatResponse): ReadableResponse {
  const delivered = () => deliveredIn(response)
  const { usage: latestUsage } = response
  return { ok: true, usage: plausibleUsage(latestUsage, delivered), latestUsage, delivered }
}
