import {
  addressedImages,
  jsonType,
  type ModeCall,
  type ModeResponse,
  readModeResponse,
  type WireResponse,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
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
  const failure = { status: 200, headers: {}, body: textOf(response) }
  return { ok: false, error: plain.refusalIn?.(response, call) ?? operation.decodeError(failure) }
}

/** In OpenAI's form: it passes as received, but for bytes that were asked for and are missing. */
function readReceived(response: WireResponse, operation: Operation, { body }: ModeCall): ResponseReading {
  const text = textOf(response)
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

function textOf({ bytes }: WireResponse): string {
  return new TextDecoder().decode(bytes)
}
