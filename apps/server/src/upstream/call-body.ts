import {
  type ChatRequest,
  type EncodedRequest,
  type EncodeTarget,
  type FormatName,
  inCallersWords,
  type JsonEdits,
  RequestFault,
  type RequestText,
  scanTopLevel,
  spliceMembers,
  type UpstreamCodec,
} from '@tollgate/formats'
import type { HeaderMap, Operation, PlainFormat } from '@tollgate/providers'

/** The body of a call, in the format that its caller wrote it in. */
export interface CallBody {
  readonly format: FormatName | PlainFormat
  readonly native: RequestText
  /** Fields of the caller that an upstream of the same format is to get; none when not said. */
  readonly callerHeaders?: HeaderMap
  /** Edits of the body for an upstream of the same format. */
  nativeEdits(target: EncodeTarget): JsonEdits
  /**
   * The body in no vendor's words; absent for formats that are never translated.
   * @throws RequestFault for a body that only an upstream of its own format can judge
   */
  canonical?(): ChatRequest
  /** Puts large parts that were kept out of the canonical request back into the JSON text that was made of it. */
  restore?(text: string): string | readonly string[]
}

export interface BodyTarget {
  readonly operation: Operation
  /** Model name after mapping. */
  readonly upstreamModel: string
  /** The channel's `param_override`; it has the last word, but for `stream`. */
  readonly override: Readonly<Record<string, unknown>> | null
}

export interface UpstreamBody {
  /** JSON text; in pieces where putting them together would copy megabytes. */
  readonly text: string | readonly string[]
  /** Names of fields that were left out and do not change the answer. */
  readonly dropped: readonly string[]
}

/** Whether a call can be sent to an operation at all: in its own format, or translated. */
export function canCarry(body: Pick<CallBody, 'format' | 'canonical'>, operation: Operation): boolean {
  return body.format === operation.format || (body.canonical !== undefined && operation.codec !== undefined)
}

/**
 * The body for an upstream: byte for byte as received but for the named edits where the formats are the same, translated
 * where they are not.
 * @throws RequestFault for what the upstream's format cannot say
 */
export function encodeBody(body: CallBody, target: BodyTarget): UpstreamBody {
  const { operation, upstreamModel } = target
  const { streamOptions, hosted = false } = operation
  const encodeTarget = { model: upstreamModel, streamOptions, hosted }
  if (body.format === operation.format) {
    const edits = withOwnEdits(body.nativeEdits(encodeTarget), body.native, target, body.callerHeaders)
    return { text: spliceMembers(body.native.text, body.native.scan, edits), dropped: nothing }
  }
  const { codec } = operation
  if (codec === undefined || body.canonical === undefined)
    throw new RequestFault('This model does not serve this endpoint.', null, 'unsupported_endpoint')
  const encoded = encodedFor(codec, body.canonical(), encodeTarget, body.format)
  const native = textOf(encoded.body)
  const edits = withOwnEdits(noEdits, native, target)
  const text = spliceMembers(native.text, native.scan, edits)
  return { text: body.restore?.(text) ?? text, dropped: encoded.dropped }
}

/** @throws RequestFault that names the field as the caller does */
function encodedFor(
  codec: UpstreamCodec,
  request: ChatRequest,
  target: EncodeTarget,
  callerFormat: string,
): EncodedRequest {
  try {
    return codec.encodeRequest(request, target)
  } catch (error) {
    throw error instanceof RequestFault ? inCallersWords(error, callerFormat) : error
  }
}

const nothing: readonly string[] = []
const noEdits: JsonEdits = new Map()
const noHeaders: HeaderMap = {}
/** What we wrote ourselves nests no deeper than what a caller may send, and a little. */
const maxDepth = 1024

function textOf(body: RequestText['body']): RequestText {
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, maxDepth, Number.POSITIVE_INFINITY)
  if (!scan.ok) throw new RequestFault('The request nests too deep.', null, 'invalid_json')
  return { text, scan, body }
}

/** The upstream's own edits, and over them the operator's. */
function withOwnEdits(
  edits: JsonEdits,
  native: RequestText,
  target: BodyTarget,
  callerHeaders = noHeaders,
): JsonEdits {
  const { operation, upstreamModel, override } = target
  if (operation.quirks === undefined && override === null) return edits
  const all = new Map(edits)
  for (const [key, value] of operation.quirks?.(native, upstreamModel, callerHeaders) ?? [])
    all.set(key, value)
  for (const [key, value] of Object.entries(override ?? {})) {
    // Whether the answer streams is between the caller and the gateway.
    if (key !== 'stream') all.set(key, JSON.stringify(value))
  }
  return all
}
