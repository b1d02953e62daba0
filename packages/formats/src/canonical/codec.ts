import type { ApiError, UpstreamErrorInfo, UpstreamFailure } from '../errors/upstream-error.ts'
import type { RequestText } from '../json/request-text.ts'
import type { JsonEdits } from '../json/text.ts'
import type { JsonObject } from '../json/value.ts'
import type { Usage } from '../usage.ts'
import type { Instructions } from './instructions.ts'
import type { Prompt } from './prompt.ts'
import type { ChatRequest, FormatName } from './request.ts'
import type { ChatResponse } from './response.ts'
import type { SchemaProfile } from './schema-dialect.ts'
import type { ChatPart } from './stream.ts'

/**
 * One wire format of chat, both directions, as pure functions over the canonical types. A gateway decodes requests and
 * encodes responses for its callers, and encodes requests and decodes responses for its upstreams.
 */
export interface ChatCodec<DecodeState = unknown, EncodeState = unknown> {
  readonly format: FormatName
  readonly callRules: CallRules
  /** Format that upstreams are asked for, where it is not the own one: some of those that speak that cannot serve such bodies. */
  readonly wanted?: FormatName
  /** Top-level fields of a request that decide how it is priced and sent: each may be there once. */
  readonly decisiveFields: ReadonlySet<string>
  /**
   * Returns a body that clients write in the words of other formats in this format's own; `undefined` for one that is in them. Absent
   * where no client does so.
   * @param outline the body, of which texts of plain messages may be missing
   * @param complete reads the whole of it
   * @throws RequestFault for what this format cannot say
   */
  inOwnWords?(outline: JsonObject, complete: () => JsonObject): JsonObject | undefined
  /**
   * Reads the facts that the gateway needs of a body that may pass as received. It is quick, and ignores all other fields,
   * because vendors add fields every week.
   * @throws RequestFault for a body that the gateway cannot route or price: no model, no messages, an invalid limit
   */
  inspectRequest(body: JsonObject, path: RequestPath): RequestFacts
  /** The parts of a body that count as its prompt. Never throws, for any body. */
  promptOf(body: JsonObject): Prompt
  /** The edits of a body that goes to an upstream of the same format: the model's name, and what the gateway must ask for. */
  nativeEdits(request: RequestText, facts: RequestFacts, target: EncodeTarget): JsonEdits
  /** The edits that put instructions in front of a body's own; `undefined` when the body stays as it is. */
  instructionEdits(request: RequestText, instructions: Instructions): JsonEdits | undefined
  /**
   * Reads a caller's body for an upstream of another format.
   * @throws RequestFault that names the field
   */
  decodeRequest(body: JsonObject, path: RequestPath): ChatRequest
  /**
   * The request as the upstream reads it; the gateway writes it as JSON.
   * @throws RequestFault for a field that this format cannot express and whose loss would change the response
   */
  encodeRequest(request: ChatRequest, target: EncodeTarget): EncodedRequest
  /** Reads a 2xx response. An error in it, or a body of another shape, is a failure. */
  decodeResponse(body: unknown): DecodedResponse
  encodeResponse(response: ChatResponse, call: EncodeContext): unknown
  /** Returns why callers of this format cannot use a buffered response of another one; absent where they can use every response. */
  faultOf?(response: ChatResponse): UpstreamErrorInfo | undefined
  /** See `EncodeContext.echo`. Never throws, for any body. */
  echoOf?(body: JsonObject): JsonObject | undefined
  readonly decodeStream: StreamDecoder<DecodeState>
  readonly encodeStream: StreamEncoder<EncodeState>
  /** Reads the body of a response that is not 2xx. */
  decodeError(failure: UpstreamFailure): UpstreamErrorInfo
  /** An error as callers of this format read it: the body of a response. */
  encodeError(error: ApiError): unknown
  /** The same error as frames of a stream that has started; the encoder knows nothing else of the response. */
  encodeStreamError(error: ApiError, call: ErrorContext): readonly TextFrame[]
}

/** Rules about what callers of a format can be told of a model's calls. */
export interface CallRules {
  /** Arguments are an object there, and no text that may hold any JSON. */
  readonly takesObjects: boolean
  /** The format has an end for calls that nobody can make; elsewhere their response has failed. */
  readonly endsMalformed: boolean
}

/** The part of a codec that a format needs when only upstreams speak it: no caller writes or reads it. */
export type UpstreamCodec = Pick<
  ChatCodec,
  'format' | 'encodeRequest' | 'decodeResponse' | 'decodeStream' | 'decodeError'
>

/** Facts of a request that its path says instead of its body: Gemini's model and method. */
export interface RequestPath {
  readonly model?: string
  readonly stream?: boolean
}

/** Facts by which a call is routed, reserved and answered. */
export interface RequestFacts {
  readonly model: string
  readonly stream: boolean
  /** The caller asked for usage in its stream; true for formats that always report it. */
  readonly includeUsage: boolean
  /** The caller's limit on the output, over all candidates; `undefined` when the caller set none. */
  readonly maxOutputTokens: number | undefined
  /** Number of candidates that may be charged. */
  readonly candidates: number
  /** Empty when the caller did not say. */
  readonly reasoningEffort: string
}

/** The facts of an upstream, and its operator's settings, that an encoder of requests needs. */
export interface EncodeTarget {
  /** Model name after mapping. */
  readonly model: string
  /** An id of the call, for upstreams that want one in every request; absent for calls of our own. */
  readonly callId?: string | undefined
  /** Ids that the upstream gave files which were uploaded before, by their base64 as the request holds it. */
  readonly fileIds?: ReadonlyMap<string, string> | undefined
  /** True when the upstream takes OpenAI's `stream_options`; others ignore it. */
  readonly streamOptions: boolean
  /** The operator's limit for a caller that set none, where the format must say one (Anthropic). */
  readonly defaultMaxTokens?: number
  /**
   * A cloud hosts the vendor's models behind an API that lags behind the vendor's own (Claude at Bedrock and Vertex): its
   * newest fields, and media by address, are refused there.
   */
  readonly hosted?: boolean
  /** The upstream speaks Responses, and knows no items that are Codex's own. */
  readonly plainItems?: boolean
  /** The upstream is not asked for the text of its reasoning, even where the caller would read it. */
  readonly silentReasoning?: boolean
  /** Assistant turns carry the reasoning of other vendors, too: the upstream refuses turns without any. */
  readonly foreignReasoning?: boolean
  /** The upstream accepts prompt-cache marks in a format that defines none (OpenRouter). */
  readonly cacheMarks?: boolean
  /** Gemini's `safetySettings` of requests that were written in another format. */
  readonly safetySettings?: readonly JsonObject[]
  /** Highest number of images in one message, where the operator limits it; -1 for any number. */
  readonly maxImages?: number
  /** The upstream's reading of schemas, in a format that vendors of several dialects speak; as the format's own vendor if not said. */
  readonly schemas?: SchemaProfile | undefined
  /** The model also generates images on request, which callers of other formats seldom ask for by field. */
  readonly generatesImages?: boolean
}

/** A request as an upstream reads it. */
export interface EncodedRequest {
  readonly body: Readonly<Record<string, unknown>>
  /** Names of fields that were left out without changing the response, for a warning to the caller. */
  readonly dropped: readonly string[]
}

/** A buffered response, or the failure that it reports. */
export type DecodedResponse =
  | { readonly ok: true; readonly response: ChatResponse }
  | { readonly ok: false; readonly error: UpstreamErrorInfo }

/** Context of an encoder whose call failed. */
export type ErrorContext = Pick<EncodeContext, 'model' | 'responseId' | 'createdAt'>

/** The facts of a call that an encoder of its response needs. */
export interface EncodeContext {
  /** The model by the name that the caller used. */
  readonly model: string
  /** Id of responses whose upstream gave no id of this format. */
  readonly responseId: string
  /** Unix seconds, for formats that say when a response was made. */
  readonly createdAt: number
  /** Unix seconds at the moment of the call, for formats that say when a response was complete; without it `createdAt`. */
  readonly nowSeconds?: (() => number) | undefined
  /** The caller asked for usage inside its stream (OpenAI's `stream_options.include_usage`). */
  readonly includeUsage: boolean
  /** Our own estimate of the prompt, for formats that report it before the upstream has counted. */
  readonly estimatedInputTokens: number
  /** The members of the caller's request that its response repeats; absent in formats that repeat none. */
  readonly echo?: JsonObject
  /** The caller's stop sequences, of which an upstream may name one; `undefined` where they are not known. */
  readonly stopSequences?: readonly string[] | undefined
}

/** One event of a stream, in any framing. */
export interface Frame {
  /** Name of the event; empty where the framing has none. */
  readonly event: string
  /** Its payload as text. */
  readonly data: string
}

/** A frame to write: without `event` where the format names none. */
export interface TextFrame {
  readonly event?: string
  readonly data: string
}

/** A reducer: the state is changed in place, by `step` alone. */
export interface StreamDecoder<State> {
  /**
   * @param isForwarded the caller gets the events as received: a member of another type than expected then counts as
   * absent, because nothing of it is lost
   */
  start(isForwarded?: boolean): State
  /**
   * Reads the parts of a frame; none of an event that this format does not know.
   * @throws MalformedFrameError, and nothing else, for an event that cannot be read
   */
  step(state: State, frame: Frame): readonly ChatPart[]
  /** Ends the bytes. Returns the held back parts, and never invents an end of a call, a candidate or the response. */
  finish(state: State): readonly ChatPart[]
}

/** Writes what a decoder reads. Frames are written in the format's own framing (server-sent events). */
export interface StreamEncoder<State> {
  start(call: EncodeContext): State
  step(state: State, part: ChatPart): readonly TextFrame[]
  /**
   * Ends a response that is complete and charged: closes what is open and writes the end, with the usage that was charged. `stop` and
   * `usage` parts may be held back until here.
   */
  finish(state: State, usage: Usage): readonly TextFrame[]
  /** Ends the stream with an error, like `encodeStreamError`; for formats whose last event continues the earlier ones. */
  fail?(state: State, error: ApiError): readonly TextFrame[]
}

/** A request that the gateway cannot accept, or cannot translate for an upstream of another format; the caller can fix it. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault'
  /** The field that is at fault, as a path in the caller's own words; `null` for the whole body. */
  readonly param: string | null
  readonly code: string

  constructor(message: string, param: string | null, code: string) {
    super(message)
    this.param = param
    this.code = code
  }
}
