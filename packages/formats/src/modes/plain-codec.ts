import { type EncodedRequest, type EncodeTarget, RequestFault } from '../canonical/codec.ts'
import type { ReadHeader } from '../embedding-usage.ts'
import type { UpstreamErrorInfo } from '../errors/upstream-error.ts'
import type { ContentOutline } from '../json/bytes/content-outline.ts'
import { decodeUtf8 } from '../json/utf8.ts'
import { type JsonObject, parseJson, parseUnbounded } from '../json/value.ts'
import type { Usage } from '../usage.ts'

/**
 * Translates calls of one mode other than chat between its public format and an upstream's own, both ways. Pure.
 * `embeddingCodec`, `rerankCodec`, `imageCodec` and `speechCodec` create it from an upstream's differences.
 */
export interface ModeCodec {
  /**
   * @param body the caller's, checked as far as its mode is
   * @throws RequestFault for a field that the upstream cannot express and whose loss would change the response
   */
  encodeRequest(body: JsonObject, target: EncodeTarget): EncodedRequest
  /** Reads a 2xx response; `undefined` for a failure in it, which `decodeError` then reads. */
  decodeResponse(response: WireResponse, call: ModeCall): ModeResponse | undefined
  /** The reason of a 2xx response without content, where the upstream names one: it refused the content. */
  refusalIn?(response: WireResponse, call: ModeCall): UpstreamErrorInfo | undefined
}

/** Differences of an upstream in a mode, in terms of its requests and its responses. */
export interface ModeTranslation<Request, BufferedResponse> {
  /** Works as `ModeCodec.encodeRequest`. */
  encodeRequest(request: Request, target: EncodeTarget): EncodedRequest
  /** Works as `ModeCodec.decodeResponse`. */
  decodeResponse(response: WireResponse, request: Request): BufferedResponse | undefined
}

/** Findings about a body from when it was read. */
export interface BodyFindings {
  /** True where its structure is bounded: see `structureOf`. */
  readonly isBounded?: boolean | undefined
  /** See `contentOutline`. Only where the response passes as it came, or not at all. */
  readonly outline?: ContentOutline | undefined
}

const noFindings: BodyFindings = {}

/** A buffered response as it came off the wire. */
export class WireResponse {
  readonly bytes: Uint8Array
  /** Empty when the upstream named none. */
  readonly contentType: string
  /** A field of the head; `null` without it. */
  readonly header: ReadHeader
  readonly findings: BodyFindings
  #json: { readonly value: unknown } | undefined

  constructor(
    bytes: Uint8Array,
    contentType: string,
    header: ReadHeader = () => null,
    findings = noFindings,
  ) {
    this.bytes = bytes
    this.contentType = contentType
    this.header = header
    this.findings = findings
  }

  /** `undefined` when the body is not JSON. */
  get json(): unknown {
    this.#json ??= { value: this.parse(decodeUtf8(this.bytes)) }
    return this.#json.value
  }

  /** Parses the text of the body; `undefined` when it is not JSON. */
  parse(text: string): unknown {
    return this.findings.isBounded === true ? parseUnbounded(text) : parseJson(text)
  }
}

/** The call that a response is for. */
export interface ModeCall {
  /** The caller's body. */
  readonly body: JsonObject
  /** The model by the name that the caller used. */
  readonly model: string
  /** Id of responses whose upstream gave none. */
  readonly responseId: string
  /** Unix seconds. */
  readonly createdAt: number
}

/** Files that a response names by address although its caller wants the bytes. */
export interface LinkedFiles<Reading> {
  readonly urls: readonly string[]
  /** @param files base64 by address, of every one */
  withFiles(files: ReadonlyMap<string, { readonly data: string }>): Reading
}

/** A buffered response, ready to be written for its caller. */
export interface ModeResponse {
  /** The upstream's count; `undefined` when it sent none that can be charged. */
  readonly usage: Usage | undefined
  readonly contentType: string
  /** Number of images, which are what is paid for. */
  readonly made?: number
  /** Files that must be fetched before the response is what its caller asked for. */
  readonly linked?: LinkedFiles<ModeResponse>
  /** The body for the caller, with the usage that is charged. */
  encode(charged: Usage): string | Uint8Array
}

/** The members of a body that its mode does not know. `null` says nothing. */
export function vendorFields(body: JsonObject, known: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !known.includes(name) && value != null),
  )
}

export const jsonType = 'application/json'

/** Refuses a request for a stream when the upstream has none. */
export function noEvents(param: string): RequestFault {
  const message = `${param} is not supported: the model is served by an upstream that sends no events`
  return new RequestFault(message, param, 'unsupported_parameter')
}
