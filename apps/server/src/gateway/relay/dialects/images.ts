import {
  addressedImages,
  imageCount,
  type JsonObject,
  jsonType,
  type ModeCall,
  type ModeResponse,
  readModeResponse,
  textOf,
  type WireResponse,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import type { ImageOrder } from '../../../billing/pricing/media-price.ts'
import type { ResponseReading } from './dialect.ts'

type Read = Extract<ResponseReading, { ok: true }>

const nothing = { text: '', overflowBytes: 0, toolCalls: 0 } as const

/**
 * The one reading of responses with images, of calls in JSON and in forms, in OpenAI's form or the upstream's own. It counts
 * the images that were made, which are what is charged, and names those to fetch whose caller asked for their bytes.
 */
export function readImageResponse(
  response: WireResponse,
  operation: Operation,
  call: ModeCall,
): ResponseReading {
  const { plain } = operation
  if (plain === undefined) return readReceived(response, operation, call)
  const reading = plain.decodeResponse(response, call)
  if (reading !== undefined) return ownReading(reading)
  const failure = { status: 200, headers: {}, body: bodyText(response) }
  return { ok: false, error: plain.refusalIn?.(response, call) ?? operation.decodeError(failure) }
}

/** Reads a response in OpenAI's form: it passes as received, except for requested bytes that are missing. */
function readReceived(response: WireResponse, operation: Operation, { body }: ModeCall): ResponseReading {
  const text = bodyText(response)
  const received = readModeResponse('images', text, (failure) => operation.decodeError(failure))
  if (!received.ok) return received
  const { usage, made } = received
  const reading: Read = { ok: true, usage, made, delivered: () => nothing, encode: () => response.bytes }
  const linked = body.response_format === 'b64_json' ? addressedImages(text) : undefined
  if (linked === undefined) return reading
  const withFiles = (files: Parameters<typeof linked.withFiles>[0]): Read => {
    const filled = linked.withFiles(files)
    return { ...reading, contentType: jsonType, encode: () => filled }
  }
  return { ...reading, linked: { urls: linked.urls, withFiles } }
}

function ownReading(reading: ModeResponse): Read {
  const { usage, contentType, made, linked } = reading
  const result: Read = {
    ok: true,
    usage,
    contentType,
    made,
    delivered: () => nothing,
    encode: (charged) => reading.encode(charged),
  }
  if (linked === undefined) return result
  const { urls } = linked
  return { ...result, linked: { urls, withFiles: (files) => ownReading(linked.withFiles(files)) } }
}

function bodyText({ bytes }: WireResponse): string {
  return new TextDecoder().decode(bytes)
}

/** Returns the order in a body that has passed the checks of its mode. */
export function imageOrderOf(model: string, body: JsonObject): ImageOrder {
  const { size, quality } = body
  return {
    model,
    n: imageCount(body),
    size: textOf(size) || '1024x1024',
    quality: textOf(quality) || 'standard',
  }
}

/**
 * Upper estimate of the tokens that the images of an order are made of; 0 for models that are priced by the piece.
 * https://platform.openai.com/docs/guides/image-generation#cost-and-latency
 */
export function imageTokensOf({ model, n, quality }: ImageOrder): number {
  if (model.startsWith('dall-e')) return 0
  return n * (tokensByQuality[quality] ?? maxTokens)
}

const maxTokens = 6240
/** Tokens of the largest size. Models choose by themselves for `auto`, and by default. */
const tokensByQuality: Readonly<Record<string, number | undefined>> = { low: 408, medium: 1584 }
