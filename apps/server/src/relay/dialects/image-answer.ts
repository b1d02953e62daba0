import {
  addressedImages,
  jsonType,
  type PlainCall,
  type PlainReading,
  readModeAnswer,
  type WireAnswer,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import type { WholeReading } from './dialect.ts'

type Read = Extract<WholeReading, { ok: true }>

const nothing = { text: '', overflowBytes: 0, toolCalls: 0 } as const

/**
 * The one reading of responses with images, of calls in JSON and in forms, in OpenAI's form or the upstream's own. It counts
 * the images that were made, which are what is charged, and names those to fetch whose caller asked for their bytes.
 */
export function readImageAnswer(answer: WireAnswer, operation: Operation, call: PlainCall): WholeReading {
  const { plain } = operation
  if (plain === undefined) return readReceived(answer, operation, call)
  const reading = plain.decodeAnswer(answer, call)
  if (reading !== undefined) return ownReading(reading)
  const failure = { status: 200, headers: {}, body: textOf(answer) }
  return { ok: false, error: plain.refusalIn?.(answer, call) ?? operation.decodeError(failure) }
}

/** In OpenAI's form: it passes as received, but for bytes that were asked for and are missing. */
function readReceived(answer: WireAnswer, operation: Operation, { body }: PlainCall): WholeReading {
  const text = textOf(answer)
  const received = readModeAnswer('images', text, (failure) => operation.decodeError(failure))
  if (!received.ok) return received
  const { usage, made } = received
  const reading: Read = { ok: true, usage, made, delivered: () => nothing, encode: () => answer.bytes }
  const linked = body.response_format === 'b64_json' ? addressedImages(text) : undefined
  if (linked === undefined) return reading
  const withFiles = (files: Parameters<typeof linked.withFiles>[0]): Read => {
    const filled = linked.withFiles(files)
    return { ...reading, contentType: jsonType, encode: () => filled }
  }
  return { ...reading, linked: { urls: linked.urls, withFiles } }
}

function ownReading(reading: PlainReading): Read {
  const { usage, contentType, made, linked } = reading
  const whole: Read = {
    ok: true,
    usage,
    contentType,
    made,
    delivered: () => nothing,
    encode: (charged) => reading.encode(charged),
  }
  if (linked === undefined) return whole
  const { urls } = linked
  return { ...whole, linked: { urls, withFiles: (files) => ownReading(linked.withFiles(files)) } }
}

function textOf({ bytes }: WireAnswer): string {
  return new TextDecoder().decode(bytes)
}
