import type { ApiError, UpstreamErrorInfo, UpstreamFailure } from '../errors/upstream-error.ts'
import type { JsonEdits, RequestText } from '../json/text.ts'
import type { JsonObject } from '../json/value.ts'
import type { Instructions } from '../requests/instructions.ts'
import type { Prompt } from '../requests/prompt.ts'
import type { Usage } from '../usage.ts'
import type { ChatRequest, FormatName } from './request.ts'
import type { ChatResponse } from './response.ts'
import type { ChatPart } from './stream.ts'

/**
 * One wire format of chat, both directions, as pure functions over the canonical types. A gateway decodes requests and
 * encodes responses for its callers, and encodes requests and decodes responses for its upstreams.
 */
export interface ChatCodec<DecodeState = unknown, EncodeState = unknown> {
  readonly format: FormatName
  /** Top-level fields of a request that decide how it is priced and sent: each may be there once. */
  readonly decisiveFields: ReadonlySet<string>
  /**
   * What the gateway must know of a body that may pass as received: quick, and lenient with everything it need not know,
   * for vendors add fields every week.
   * @throws RequestFault for what the gateway cannot work with: no model, no messages, a limit that is none
   */
  inspectRequest(body: JsonObject, path: RequestPath): RequestFacts
  /** What of a body counts as its prompt. Never throws, whatever the body holds. */
  promptOf(body: JsonObject): Prompt
  /** The edits of a body that goes to an upstream of the same format: the model's name, and what the gateway must ask for. */
  nativeEdits(request: RequestText, facts: RequestFacts, target: EncodeTarget): JsonEdits
  /** The edits that put instructions in front of a body's own; `undefined` where they are not to be put there. */
  instructionEdits(request: RequestText, instructions: Instructions): JsonEdits | undefined
  /**
   * Reads a caller's body for an upstream of another format.
   * @throws RequestFault that names the field
   */
  decodeRequest(body: JsonObject, path: RequestPath): ChatRequest
  /**
   * The request as the upstream reads it; the gateway writes it as JSON.
   * @throws RequestFault for what this format cannot say and whose loss would change the response
   */
  encodeRequest(request: ChatRequest, target: EncodeTarget): EncodedRequest
  /** Reads a 2xx response. Its error, or a body that is none, is a failure. */
  decodeResponse(body: unknown): DecodedResponse
  encodeResponse(response: ChatResponse, call: EncodeContext): unknown
  /** Why a buffered response of another format is of no use to callers of this one; absent where every response is. */
  faultOf?(response: ChatResponse): UpstreamErrorInfo | undefined
  /** See `EncodeContext.echo`. Never throws, whatever the body holds. */
  echoOf?(body: JsonObject): JsonObject
  readonly decodeStream: StreamDecoder<DecodeState>
  readonly encodeStream: StreamEncoder<EncodeState>
  /** Reads the body of a response that is not 2xx. */
  decodeError(failure: UpstreamFailure): UpstreamErrorInfo
  /** An error as callers of this format read it: the body of a response. */
  encodeError(error: ApiError): unknown
  /** The same as frames of a stream that has begun; of the response nothing else is known. */
  encodeStreamError(error: ApiError, call: ErrorContext): readonly TextFrame[]
}

/** What is needed of a format that only an upstream speaks: no caller writes or reads it. */
export type UpstreamCodec = Pick<
  ChatCodec,
  'format' | 'encodeRequest' | 'decodeResponse' | 'decodeStream' | 'decodeError'
>

/** What a path says of a request, where the format does not say it in the body: Gemini's model and method. */
export interface RequestPath {
  readonly model?: string
  readonly stream?: boolean
}

/** What decides how a call is routed, reserved and answered. */
export interface RequestFacts {
  readonly model: string
  readonly stream: boolean
  /** The caller asked for usage in its stream; formats that always tell it say true. */
  readonly includeUsage: boolean
  /** Limit on the output that the caller set, over all candidates; `undefined` when there is none. */
  readonly maxOutputTokens: number | undefined
  /** How many answers may be charged. */
  readonly candidates: number
  /** Empty when the caller did not say. */
  readonly reasoningEffort: string
}

/** What an encoder must know of the upstream and of what its operator set. */
export interface EncodeTarget {
  /** Model name after mapping. */
  readonly model: string
  /** An id of the call, for upstreams that want one in every request; absent for calls of our own. */
  readonly callId?: string | undefined
  /** Ids that the upstream gave files which were uploaded before, by their base64 as the request holds it. */
  readonly fileIds?: ReadonlyMap<string, string> | undefined
  /** Whether the upstream takes OpenAI's `stream_options`; others ignore it. */
  readonly streamOptions: boolean
  /** The operator's limit for a caller that set none, where the format must say one (Anthropic). */
  readonly defaultMaxTokens?: number
  /**
   * A cloud hosts the vendor's models behind an API that lags behind the vendor's own (Claude at Bedrock and Vertex): its
   * newest fields, and media by address, are not taken there.
   */
  readonly hosted?: boolean
  /** The upstream takes marks of what it is to keep in a prompt cache, in a format that has none of its own (OpenRouter). */
  readonly cacheMarks?: boolean
  /** Gemini's `safetySettings` of requests that were written in another format. */
  readonly safetySettings?: readonly JsonObject[]
  /** Most images in one message, where the operator limits them; -1 for any number. */
  readonly maxImages?: number
  /** The model also answers with pictures when it is asked to, which callers of other formats seldom say. */
  readonly generatesImages?: boolean
}

/** A request as an upstream reads it. */
export interface EncodedRequest {
  readonly body: Readonly<Record<string, unknown>>
  /** What was left out and does not change the response: names of fields, for a warning to the caller. */
  readonly dropped: readonly string[]
}

/** A buffered response, or the failure that it tells. */
export type DecodedResponse =
  | { readonly ok: true; readonly response: ChatResponse }
  | { readonly ok: false; readonly error: UpstreamErrorInfo }

/** What is told of a call that failed. */
export type ErrorContext = Pick<EncodeContext, 'model' | 'responseId' | 'createdAt'>

/** What an encoder must know of the call it answers. */
export interface EncodeContext {
  /** The model by the name that the caller used. */
  readonly model: string
  /** For responses whose upstream gave no id of this format. */
  readonly responseId: string
  /** Unix seconds, for formats that say when a response was made. */
  readonly createdAt: number
  /** The same at the moment it is asked, for formats that say when a response was complete; `createdAt` where it is absent. */
  readonly nowSeconds?: (() => number) | undefined
  /** The caller asked for usage inside its stream (OpenAI's `stream_options.include_usage`). */
  readonly includeUsage: boolean
  /** Our own estimate of the prompt, for formats that tell it before the upstream has counted. */
  readonly estimatedInputTokens: number
  /** What of the caller's request its response says again; formats that repeat nothing have none. */
  readonly echo?: JsonObject
}

/** One event of a stream, whatever framed it. */
export interface Frame {
  /** Name of the event; empty where the framing has none. */
  readonly event: string
  /** Its payload as text. */
  readonly data: string
}

/** A frame that is still to be written: without `event` where the format names none. */
export interface TextFrame {
  readonly event?: string
  readonly data: string
}

/** A reducer: the state is changed in place, by `step` alone. */
export interface StreamDecoder<State> {
  start(): State
  /**
   * What a frame says; nothing for an event that this format does not know.
   * @throws MalformedFrameError, and nothing else, for an event that cannot be read
   */
  step(state: State, frame: Frame): readonly ChatPart[]
  /** The bytes have ended. What was still open is told; an `end` is not invented. */
  finish(state: State): readonly ChatPart[]
}

/** As a decoder, the other way. Frames are written in the format's own framing (server-sent events). */
export interface StreamEncoder<State> {
  start(call: EncodeContext): State
  step(state: State, part: ChatPart): readonly TextFrame[]
  /**
   * The response is complete and charged: closes what is open and says the end, with the usage that was charged. `stop`
   * and `usage` parts may be held back until here.
   */
  finish(state: State, usage: Usage): readonly TextFrame[]
  /** The stream ends with an error, as `encodeStreamError` has it; for formats whose last event goes on from those before. */
  fail?(state: State, error: ApiError): readonly TextFrame[]
}

/** A request that cannot be taken, or not be carried to an upstream of another format: the caller's to change. */
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
