import {
  type ChatRequest,
  type EncodedRequest,
  type EncodeTarget,
  type FormatName,
  type JsonEdits,
  type PlainCodec,
  RequestFault,
  type RequestText,
  scanTopLevel,
  spliceMembers,
} from '@tollgate/formats'
import type { HeaderMap, Operation, PlainFormat } from '@tollgate/providers'

/** A form on its way out: made while it is sent, and anew for every attempt. */
export interface FormBody {
  readonly contentType: string
  /** Bytes in all. */
  readonly length: number
  pieces(): AsyncIterable<Uint8Array>
}

/** JSON text, in pieces where putting them together would copy megabytes; or a form. */
export type SentBody = string | readonly string[] | FormBody

export function isForm(body: SentBody): body is FormBody {
  return typeof body === 'object' && 'pieces' in body
}

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
  /** Of a call that is a form: its native text is its fields alone. */
  encodeForm?(target: Pick<BodyTarget, 'upstreamModel' | 'override'>): FormBody
  /**
   * The body in an upstream's own words; absent for chat.
   * @throws RequestFault as `PlainCodec.encodeRequest`
   */
  encodeOwn?(plain: PlainCodec, target: EncodeTarget): EncodedRequest
  /**
   * The same call in the format that most upstreams of its mode take, for those that do not take its own; absent for formats
   * that are it, or are translated otherwise.
   * @throws RequestFault for what that format cannot say
   */
  pivot?(): PivotBody
  /** Puts large parts that were kept out of the canonical request back into the JSON text that was made of it. */
  restore?(text: string): string | readonly string[]
}

/** A body in the format that it is translated through. */
export interface PivotBody {
  readonly body: CallBody
  /** As `UpstreamBody.dropped`. */
  readonly dropped: readonly string[]
}

export interface BodyTarget {
  readonly operation: Operation
  /** Model name after mapping. */
  readonly upstreamModel: string
  /** The channel's `param_override`; it has the last word, but for `stream`. */
  readonly override: Readonly<Record<string, unknown>> | null
}

export interface UpstreamBody {
  /** What is sent. */
  readonly text: SentBody
  /** Names of fields that were left out and do not change the answer. */
  readonly dropped: readonly string[]
}

/** Whether a call can be sent to an operation at all: in its own format, or translated. */
export function canCarry(
  body: Pick<CallBody, 'format' | 'canonical' | 'encodeOwn' | 'pivot'>,
  operation: Operation,
): boolean {
  // A body that is none of the pivot's words is refused when it is made, by the name of its field.
  if (body.format === operation.format || body.pivot !== undefined) return true
  return body.canonical === undefined
    ? body.encodeOwn !== undefined && operation.plain !== undefined
    : operation.codec !== undefined
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
    if (body.encodeForm !== undefined) return { text: body.encodeForm(target), dropped: nothing }
    const edits = withOwnEdits(body.nativeEdits(encodeTarget), body.native, target, body.callerHeaders)
    const text = spliceMembers(body.native.text, body.native.scan, edits)
    // Messages that were edited were parsed before: large parts were kept out of them.
    const whole = edits.has('messages') ? body.restore?.(text) : undefined
    return { text: whole ?? text, dropped: nothing }
  }
  if (body.pivot !== undefined) return encodePivot(body.pivot(), target)
  const encoded = translated(body, operation, encodeTarget)
  const native = textOf(encoded.body)
  const edits = withOwnEdits(noEdits, native, target)
  const text = spliceMembers(native.text, native.scan, edits)
  return { text: body.restore?.(text) ?? text, dropped: encoded.dropped }
}

function encodePivot({ body, dropped }: PivotBody, target: BodyTarget): UpstreamBody {
  const encoded = encodeBody(body, target)
  return { ...encoded, dropped: [...dropped, ...encoded.dropped] }
}

function translated(body: CallBody, { codec, plain }: Operation, target: EncodeTarget): EncodedRequest {
  if (plain !== undefined && body.encodeOwn !== undefined) return body.encodeOwn(plain, target)
  if (codec === undefined || body.canonical === undefined)
    throw new RequestFault('This model does not serve this endpoint.', null, 'unsupported_endpoint')
  return codec.encodeRequest(body.canonical(), target)
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
