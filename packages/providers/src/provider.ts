import type {
  ChatRequest,
  FormatName,
  Frame,
  HostFit,
  JsonEdits,
  JsonObject,
  ModeCodec,
  ModelTurn,
  RequestText,
  TranscriptionCodec,
  UpstreamCodec,
  UpstreamErrorInfo,
  UpstreamFailure,
} from '@tollgate/formats'
import type { ChannelTarget, HeaderMap, Target, UpstreamEndpoint } from './channel-target.ts'
import type { Credential } from './credential.ts'
import type { ModelOptions } from './models/model-options.ts'
import type { AdaptPlan } from './profile/adapt.ts'
import type { RelayMode } from './provider-row.ts'
import type { BalanceQuery } from './queries/balance.ts'
import type { TaskMode, TaskServices } from './task.ts'

export type { BalanceQuery, ChannelTarget, HeaderMap, RelayMode, Target, UpstreamEndpoint }

/**
 * Every kind of call: it requests a response, the size of its prompt alone, a session of many responses, or work that the
 * upstream finishes later.
 */
export type CallMode = RelayMode | 'count-tokens' | 'realtime' | TaskMode

/**
 * Separators of the events of a streamed response. `sse-fields`: server-sent events with content outside of `data`; their payload is a
 * JSON object of all their fields.
 */
export type Framing = 'sse' | 'sse-fields' | 'ndjson' | 'json-array' | 'aws-event-stream' | 'websocket'

/**
 * Public formats of the modes other than chat: a body passes as received to an upstream of the same format. OpenAI has no
 * rerank: its format is the one that Jina, Cohere and others share. Gemini's callers request one embedding, or many.
 * Upstreams finish videos, Midjourney's images and music later.
 */
export type PlainFormat =
  | 'openai-completions'
  | 'openai-embeddings'
  | 'openai-moderations'
  | 'jina-rerank'
  | 'openai-images'
  | 'openai-image-edits'
  | 'openai-image-variations'
  | 'openai-speech'
  | 'openai-transcriptions'
  | 'openai-translations'
  | 'openai-realtime'
  | 'openai-videos'
  | 'midjourney'
  | 'suno'
  | 'gemini-embedding'
  | 'gemini-batch-embeddings'

/** The parts of a call that decide its address and headers, beside the model. */
export interface EndpointCall {
  readonly stream: boolean
  /** Query that the caller wrote behind the path, where the call came in this format; with its question mark. */
  readonly query: string
  /**
   * Fields of the caller that go along, where it wrote in this format; names in lower case. A field of the endpoint
   * replaces the caller's: read it here to keep it, or to add to it. An empty one takes it away.
   */
  readonly headers: HeaderMap
  /** The operator's settings; the defaults when absent. */
  readonly options?: ModelOptions
  /** The caller of a WebSocket put its key among the subprotocols. */
  readonly bySubprotocol?: boolean
  /** Set for a session whose upstream transcribes the caller's speech and does not respond to it. */
  readonly intent?: 'transcription' | undefined
}

/**
 * Edits of a body that one upstream needs beyond the format's own: new JSON text by top-level key, `undefined` removes
 * the key.
 * @param model the model's name upstream
 * @param headers fields of the caller, as in `EndpointCall`
 */
export type OperationQuirks = (request: RequestText, model: string, headers: HeaderMap) => JsonEdits

/** Facts beside a body that decide which members a host takes. */
export interface FittedCall {
  /** The model's name upstream. */
  readonly model: string
  /** Fields of the caller, as in `EndpointCall`. */
  readonly headers: HeaderMap
}

/**
 * Requests for the result at an upstream that creates a task first. The caller waits: it makes one call, whose response is the task's
 * result.
 */
export interface Polling {
  /** The longest pause between a response and the next request; the first pauses are shorter. */
  readonly pauseMs: number
  /**
   * The endpoint that returns the state of the task in a response, the first or a later one; `undefined` for a response that
   * holds the result or a failure. Builds the address from the channel's own, never from the response, because the
   * credential goes there.
   */
  next(response: unknown, target: ChannelTarget): UpstreamEndpoint | undefined
  /** Cancels a task whose caller is gone; absent where the upstream has no such call. */
  cancel?(response: unknown, target: ChannelTarget): UpstreamEndpoint | undefined
}

/** Uploads to an upstream that accepts files by its own ids only. */
export interface FileUploads {
  /** Takes a form whose field `file` holds the bytes. */
  endpoint(target: ChannelTarget): UpstreamEndpoint
  /** The other fields of the form. */
  fields(request: ChatRequest): Readonly<Record<string, string>>
  /** The id; `undefined` for a response without one. */
  decode(response: unknown): string | undefined
}

/** The call of a response, for upstreams whose response does not identify it. */
export interface CallIdentity {
  readonly responseId: string
  /** Unix seconds. */
  readonly createdAt: number
  /** The model by the name that the caller used. */
  readonly model: string
}

/** One operation of an upstream, for one model, in one format. */
export interface Operation {
  /** Bodies of this format pass as received; those of another format are translated, where both have a codec. */
  readonly format: FormatName | PlainFormat
  /** Codec of chat; absent for a format that is never translated. */
  readonly codec?: UpstreamCodec
  /**
   * Codec of another mode, where the upstream has a form of its own: made by `embeddingCodec`, `rerankCodec`, `imageCodec` or
   * `speechCodec`. The format is then `provider:` and a name that holds provider and mode. Such a response never streams.
   */
  readonly plain?: ModeCodec
  /** The same of transcriptions and translations, whose requests are forms. */
  readonly transcription?: TranscriptionCodec
  /** Uploads of a chat's files in base64, before the codec finds their ids in its target. */
  readonly uploads?: FileUploads
  /** Requests for the result where an upstream's first response is not the result yet. Such a response never streams. */
  readonly polling?: Polling
  /** Framing of a streamed response. */
  readonly framing: Framing
  /** Permits `stream_options.include_usage`; false for an upstream that refuses unknown fields. */
  readonly streamOptions: boolean
  /** See `EncodeTarget.hosted`. */
  readonly hosted?: boolean
  /** See `EncodeTarget.plainItems`. */
  readonly plainItems?: boolean
  /** See `EncodeTarget.silentReasoning`. */
  readonly silentReasoning?: boolean
  /**
   * The upstream accepts no media by address, so the gateway replaces the address by the bytes: in every call, or in
   * translated calls only.
   */
  readonly mediaBytes?: 'always' | 'translated'
  readonly quirks?: OperationQuirks
  /** Plans how bodies fit a model, by its name upstream; see `adapt`. Absent where nothing is known of the target. */
  readonly planFor?: (model: string) => AdaptPlan | undefined
  /**
   * Returns the edits of a body in another vendor's format for a host of that vendor's models, translated or not. Other edits and the
   * operator's own come afterwards.
   * @throws RequestFault for what would change the response
   */
  fit?(body: JsonObject, call: FittedCall): HostFit
  /**
   * Corrects an event or a buffered response of Chat Completions or completions to OpenAI's form, for callers of that format. Returns
   * the same object when it needs no correction, so that everything else passes as received.
   */
  normalizeResponse?(response: JsonObject, call: CallIdentity): JsonObject
  endpoint(target: Target, call: EndpointCall): UpstreamEndpoint
  /** The body travels in base64 between these two texts. */
  readonly enclosure?: { readonly before: string; readonly after: string }
  /** Takes the codec's frame out of one that the upstream wrapped around it; `undefined` for a frame without any. */
  unwrap?(frame: Frame): Frame | undefined
  /**
   * Recognises the last message of a response over a WebSocket, which many upstreams leave open. The first message sent is the body,
   * streamed or not; the codec decodes a buffered response from its messages as the lines of one text.
   */
  isLastMessage?(message: string): boolean
  /** Also reads failures inside a 200 response or stream. */
  decodeError(failure: UpstreamFailure): UpstreamErrorInfo
}

/** A session: an operation with an address and without a body. */
export type RealtimeOperation = Operation & {
  readonly format: 'openai-realtime'
  readonly framing: 'websocket'
}

/** A request with one small response, such as the list of models. */
export interface Query<Result> {
  /** `undefined` when the channel's upstream has no such endpoint. */
  endpoint(target: ChannelTarget): UpstreamEndpoint | undefined
  /** @param body the parsed response. Never throws: a response of another shape gives an empty result */
  decode(body: unknown): Result
  /**
   * The endpoint of the next page; `undefined` after the last one.
   * @param requested the endpoint that returned the body
   */
  next?(body: unknown, requested: UpstreamEndpoint): UpstreamEndpoint | undefined
}

/** Everything that the gateway knows of one upstream. Pure: no I/O, no clock, no globals. */
export interface Provider {
  readonly id: string
  /** Empty when the operator must give one. */
  readonly defaultBaseUrl: string
  readonly credential: Credential
  /** The supported modes: routing skips a channel without the mode. */
  readonly modes: readonly RelayMode[]
  /**
   * The operation for a mode; `undefined` when the model does not support it.
   * @param wanted the caller's format: of the formats that the upstream takes for the model, this one is chosen if it
   *   can be
   * @param turn what the call lets the model do, read where one of the upstream's APIs cannot serve it; absent without a call
   */
  operation(
    mode: RelayMode,
    target: Target,
    wanted: FormatName | PlainFormat,
    turn?: () => ModelTurn,
  ): Operation | undefined
  /**
   * Counts the tokens of a prompt, free of charge. It accepts chat requests of its format and returns the format's count.
   * Absent where the upstream has no such call, `undefined` where it does not support the model.
   */
  counting?(target: Target): Operation | undefined
  /** Sessions over a WebSocket, whose messages pass both ways as they are. Absent where the upstream has none. */
  readonly realtime?: RealtimeOperation
  /** Work that the upstream finishes later: Midjourney's images, music, videos. Absent where the upstream has none. */
  readonly tasks?: TaskServices
  /** Absent when the upstream has no list of models. */
  readonly models?: Query<readonly string[]>
  /** Absent when the upstream does not report it. */
  readonly balance?: BalanceQuery
  /** Decodes a failure outside of any operation. */
  decodeError(failure: UpstreamFailure): UpstreamErrorInfo
}
