import type {
  ChatRequest,
  FormatName,
  Frame,
  JsonEdits,
  JsonObject,
  ModeCodec,
  RequestText,
  TranscriptionCodec,
  UpstreamCodec,
  UpstreamErrorInfo,
  UpstreamFailure,
} from '@tollgate/formats'
import type { BalanceQuery } from './balance.ts'
import type { ChannelTarget, HeaderMap, Target, UpstreamEndpoint } from './channel-target.ts'
import type { Credential } from './credential.ts'
import type { ModelOptions } from './model-options.ts'
import type { RelayMode } from './provider-row.ts'
import type { TaskMode, TaskServices } from './task.ts'

export type { BalanceQuery, ChannelTarget, HeaderMap, RelayMode, Target, UpstreamEndpoint }

/**
 * All that a call may be: it asks for a response, for the size of its prompt alone, for a session of many responses, or for
 * work that is finished later.
 */
export type CallMode = RelayMode | 'count-tokens' | 'realtime' | TaskMode

/**
 * How the events of a streamed response are told apart on the wire. `sse-fields`: server-sent events that say something
 * outside of `data`; their payload is a JSON object of all their fields.
 */
export type Framing = 'sse' | 'sse-fields' | 'ndjson' | 'json-array' | 'aws-event-stream' | 'websocket'

/**
 * Public formats of the modes that are no chat: a body passes as received to an upstream of the same format. Rerank is not
 * OpenAI's: it is what Jina, Cohere and others share. Gemini's callers ask for one embedding, or for many. Videos,
 * drawings and music are finished later.
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

/** What of a call decides its address and headers, beside the model. */
export interface EndpointCall {
  readonly stream: boolean
  /** What the caller wrote behind the path, where it wrote in this format; with its question mark. */
  readonly query: string
  /**
   * Fields of the caller that go along, where it wrote in this format; names in lower case. A field of the endpoint
   * replaces the caller's: read it here to keep it, or to add to it. An empty one takes it away.
   */
  readonly headers: HeaderMap
  /** The operator's settings; the usual ones when not said. */
  readonly options?: ModelOptions
  /** The caller of a WebSocket put its key among the subprotocols. */
  readonly bySubprotocol?: boolean
  /** Of a session: what its caller says is written down, and not answered. */
  readonly intent?: 'transcription' | undefined
}

/**
 * Edits of a body that one upstream needs beyond the format's own: new JSON text by top-level key, `undefined` removes
 * the key.
 * @param model the model's name upstream
 * @param headers fields of the caller, as in `EndpointCall`
 */
export type OperationQuirks = (request: RequestText, model: string, headers: HeaderMap) => JsonEdits

/**
 * Of an upstream that takes a task and tells its result when it is asked later. Its caller waits: the call is one call,
 * whose response is the task's result.
 */
export interface Polling {
  /** The longest pause between a response and the next question; the first pauses are shorter. */
  readonly pauseMs: number
  /**
   * Where the task is asked for that a response tells of, be it the first or a later one; `undefined` for a response that is
   * the result, or says why there is none. The address is made of the channel's own, never taken from the response: the
   * credential goes there.
   */
  next(response: unknown, target: ChannelTarget): UpstreamEndpoint | undefined
  /** Ends a task that nobody waits for any more; absent where the upstream cannot be told. */
  cancel?(response: unknown, target: ChannelTarget): UpstreamEndpoint | undefined
}

/** Of an upstream that takes files by ids of its own, which it gives for their bytes beforehand. */
export interface FileUploads {
  /** Takes a form whose field `file` holds the bytes. */
  endpoint(target: ChannelTarget): UpstreamEndpoint
  /** The other fields of the form. */
  fields(request: ChatRequest): Readonly<Record<string, string>>
  /** The id; `undefined` for a response that holds none. */
  decode(response: unknown): string | undefined
}

/** The call that a response is for, where the upstream says nothing of it. */
export interface CallIdentity {
  readonly responseId: string
  /** Unix seconds. */
  readonly createdAt: number
  /** The model by the name that the caller used. */
  readonly model: string
}

/** One thing that an upstream can be asked, for one model, in one format. */
export interface Operation {
  /** Bodies of this format pass as received; of another one they are translated, where there is a codec for both. */
  readonly format: FormatName | PlainFormat
  /** Of chat; absent for a format that is never translated. */
  readonly codec?: UpstreamCodec
  /**
   * Of another mode, where the upstream's form of it is its own: made by `embeddingCodec`, `rerankCodec`, `imageCodec` or
   * `speechCodec`. The format is then `provider:` and a name that says provider and mode. Such a response never streams.
   */
  readonly plain?: ModeCodec
  /** The same of transcriptions and translations, whose requests are forms. */
  readonly transcription?: TranscriptionCodec
  /** Of chat: files in base64 are uploaded before, and the codec finds their ids in its target. */
  readonly uploads?: FileUploads
  /** Of an upstream whose first response is not yet the result. Such a response never streams. */
  readonly polling?: Polling
  /** Of a streamed response. */
  readonly framing: Framing
  /** Whether `stream_options.include_usage` may be sent; an upstream that refuses unknown fields says no. */
  readonly streamOptions: boolean
  /** See `EncodeTarget.hosted`. */
  readonly hosted?: boolean
  /**
   * The upstream takes no media by address, so that their bytes are put in its place: of any call, or of those that were
   * written in another format.
   */
  readonly mediaBytes?: 'always' | 'translated'
  readonly quirks?: OperationQuirks
  /**
   * Of Chat Completions and completions: an event or a buffered response said as OpenAI says it, for callers of that format; the
   * same object where nothing is to change, so that everything else passes as received.
   */
  normalizeResponse?(response: JsonObject, call: CallIdentity): JsonObject
  endpoint(target: Target, call: EndpointCall): UpstreamEndpoint
  /** The body goes in base64 between these two. */
  readonly enclosure?: { readonly before: string; readonly after: string }
  /** Takes the codec's frame out of one that the upstream wrapped around it; `undefined` for a frame without any. */
  unwrap?(frame: Frame): Frame | undefined
  /**
   * Of a WebSocket, which many upstreams leave open: whether the response ends with this message. The body is the first
   * message there, streamed or not, and a response that is no stream is decoded from its messages as lines of one text.
   */
  isLastMessage?(message: string): boolean
  /** Also reads failures inside a 200 response or stream. */
  decodeError(failure: UpstreamFailure): UpstreamErrorInfo
}

/** A session: an operation that has an address, and no body. */
export type RealtimeOperation = Operation & {
  readonly format: 'openai-realtime'
  readonly framing: 'websocket'
}

/** A question with one small answer: which models there are. */
export interface Query<Result> {
  /** `undefined` when a channel like this one cannot be asked. */
  endpoint(target: ChannelTarget): UpstreamEndpoint | undefined
  /** @param body the parsed response; throws nothing, a response of another shape holds nothing */
  decode(body: unknown): Result
  /**
   * Where the rest is, of a response that comes in pages; `undefined` when there is none.
   * @param asked what the body answers
   */
  next?(body: unknown, requested: UpstreamEndpoint): UpstreamEndpoint | undefined
}

/** What the gateway must know of one upstream. Pure: no I/O, no clock, no globals. */
export interface Provider {
  readonly id: string
  /** Empty when the operator must give one. */
  readonly defaultBaseUrl: string
  readonly credential: Credential
  /** What it can be asked at all: a channel without the mode is not tried. */
  readonly modes: readonly RelayMode[]
  /**
   * How a mode is asked for; `undefined` when this model has none.
   * @param wanted the caller's format: of the formats that the upstream takes for the model, this one is chosen if it
   *   can be
   */
  operation(mode: RelayMode, target: Target, wanted: FormatName | PlainFormat): Operation | undefined
  /**
   * Counts the tokens of a prompt and costs nothing. It takes chat requests of its format and answers with the format's
   * count. Absent where the upstream has no such call, `undefined` where it has none for the model.
   */
  counting?(target: Target): Operation | undefined
  /** Sessions over a WebSocket, whose messages pass both ways as they are. Absent where the upstream has none. */
  readonly realtime?: RealtimeOperation
  /** Work that is finished later: drawings, music, videos. Absent where the upstream has none. */
  readonly tasks?: TaskServices
  /** Absent when the upstream has no list of models. */
  readonly models?: Query<readonly string[]>
  /** Absent when the upstream does not tell. */
  readonly balance?: BalanceQuery
  /** What a failure means that belongs to no operation. */
  decodeError(failure: UpstreamFailure): UpstreamErrorInfo
}
