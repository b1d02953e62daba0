import type {
  ApiError,
  ContentOutline,
  CostlyField,
  Delivered,
  ErrorContext,
  JsonObject,
  LinkedFiles,
  MediaAddress,
  ModelTurn,
  Prompt,
  RequestFacts,
  ResponseStyle,
  StreamReader,
  TextFrame,
  ToolNames,
  UpstreamErrorInfo,
  Usage,
  WireResponse,
} from '@tollgate/formats'
import type { HeaderFields } from '@tollgate/http/server'
import type { CallMode, Operation } from '@tollgate/providers'
import type { ImageOrder } from '../../../billing/pricing/media-price.ts'
import type { ResponseOwner } from '../../../store/work/stored-responses.ts'
import type { CallBody } from '../../../upstream/call-body.ts'
import type { CallText } from '../bodies/call-text.ts'
import type { ReceivedForm } from '../forms/received-form.ts'
import type { StreamForm } from './stream-form.ts'

/** One public wire format on the relay's side: reads requests, shapes errors. */
export interface Dialect {
  /**
   * Reads a request: synchronously, unless its format makes the gateway look up ids in it.
   * @throws RelayError (4xx) that names the error in the body
   */
  read(mode: CallMode, body: CallText, received: ReceivedCall): ReadCall | Promise<ReadCall>
  /**
   * Reads a request that is a form, as `read` does a body; absent where the format has no forms.
   * @throws RelayError (4xx) that names the field
   */
  readForm?(mode: CallMode, form: ReceivedForm, received: ReceivedCall): Promise<CallRequest>
  /** Encodes the body of an error response. */
  errorBody(error: ApiError): string
  /** Encodes an error after a stream has started: the events that end it. */
  errorEvents(error: ApiError, call: ErrorContext): readonly TextFrame[]
}

/** Public format of a caller: in requests, responses and errors. */
export type DialectName = 'openai' | 'responses' | 'anthropic' | 'gemini'

/** Header fields of a request, one by one. */
export type CallerFields = HeaderFields & { entries(): Iterable<readonly [name: string, value: string]> }

/** Parts of a received call beside its body. */
export interface ReceivedCall {
  /** The parts of its path. */
  readonly match: Pick<
    CallPath,
    'model' | 'stream' | 'isEdit' | 'isBatch' | 'isCompaction' | 'isSecondVersion'
  > & {
    /** The model, where the path names it whatever the body says. */
    readonly deployment?: string
  }
  /** The query with its question mark, or an empty string. */
  readonly query: string
  readonly headers: CallerFields
  /** Owner who may read and continue the stored response. */
  readonly owner: ResponseOwner
}

/** A request that was read, and what stores its response for its caller, where the format stores responses. */
export interface ReadCall {
  readonly request: CallRequest
  readonly storeResponse?: StoreResponse
}

/**
 * Stores a complete, charged response: its body, or the text that ends its stream. The relay calls it once, before the last
 * byte leaves.
 */
export type StoreResponse = (response: Uint8Array | string) => void

/** Additions of a request's path and headers to its body. */
export interface CallPath {
  /** The model, where the path names it. */
  readonly model?: string
  /** Streams the response, where the path decides it. */
  readonly stream?: boolean
  /** The caller wants events as one JSON array, Gemini's form without `alt=sse`. */
  readonly asArray?: boolean
  /** The path is OpenAI's `/v1/edits`, which the gateway sends as chat. */
  readonly isEdit?: boolean
  /** The path requests compaction of a conversation. */
  readonly isCompaction?: boolean
  /** The path requests many embeddings at once. */
  readonly isBatch?: boolean
  /** The path is `/v2/rerank`, whose responses have a newer form. */
  readonly isSecondVersion?: boolean
  /** The caller's header fields that an upstream of the same format receives. */
  readonly headers?: Readonly<Record<string, string>>
  /** The query that an upstream of the same format receives, question mark included. */
  readonly query?: string
  /** Members that the response repeats from the call and that the body sent upstream lacks. */
  readonly echo?: JsonObject
}

/** Tokens as the gateway counts them. */
export interface CountedTokens {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Audio tokens of a speech, by its text; for prices that audio has a price of its own in. */
  readonly spokenTokens?: number | undefined
}

/** The parts of a request that the relay must know; the body itself is forwarded with named edits, or translated. */
export interface CallRequest extends CallBody, RequestFacts {
  /** The caller's header fields that an upstream of the same format receives. */
  readonly callerHeaders: Readonly<Record<string, string>>
  /** The caller's query that such an upstream receives, question mark included, or an empty string. */
  readonly callerQuery: string
  /** See `ChatCodec.wanted`; the format itself where absent. */
  readonly wanted?: CallBody['format']
  /** Reads what the call lets the model do; absent for calls without a conversation. */
  readonly turn?: () => ModelTurn
  readonly streamForm: StreamForm
  /** The files that the request names by URL; absent for formats without such references. */
  mediaAddresses?(): readonly MediaAddress[]
  /** The same request with files in the place of their URLs. */
  withMedia?(files: ReadonlyMap<string, { readonly mediaType: string; readonly data: string }>): CallRequest
  /** Fields that change what the vendor charges, or concern its privacy; absent for requests that have no such fields. */
  readonly costlyFields?: readonly CostlyField[]
  /** The same request without some of them. */
  withoutFields?(fields: readonly CostlyField[]): CallRequest
  /** The images that the call orders; they are charged by the piece where no tokens are counted. */
  readonly images?: ImageOrder | undefined
  /** Decides whether an operation streams its response. */
  isStreamed(operation: Operation): boolean
  /**
   * Returns the media type of the caller's stream for the upstream's type; `undefined` when that type is not a stream.
   * Absent where the stream's form and the operation's framing decide it.
   */
  readonly streamType?: ((upstreamType: string) => string | undefined) | undefined
  /** The parts of the body that count as its prompt. */
  prompt(): Prompt
  /** Upper estimate of the prompt, without a tokenizer. */
  roughPromptTokens(): number
  /** Counts prompt and response with a tokenizer. Slow; for upstreams that send no usage. */
  countTokens(delivered: Delivered): Promise<CountedTokens>
  /** Reads a buffered 2xx response of an operation. */
  readResponse(response: WireResponse, operation: Operation, call: ResponseContext): ResponseReading
  /**
   * Decides whether a buffered response of an operation reaches the caller byte for byte, so that it can pass before it is complete.
   * Absent where none does.
   */
  passesWhole?(operation: Operation, call: ResponseContext): boolean
  /** Reads a streamed response of an operation. */
  readStream(operation: Operation, call: ResponseContext): StreamReader
  /**
   * Makes a stream of a buffered response, for an upstream that did not stream although the call requested it. Absent where the
   * caller cannot use such a response.
   */
  readUnstreamed?(operation: Operation, call: ResponseContext): StreamReader
}

/** Facts that encoding a response in the caller's format needs. */
export interface ResponseContext {
  readonly requestId: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Returns the current Unix seconds. */
  readonly nowSeconds?: (() => number) | undefined
  /** Style of the channel for Chat Completions responses; unchanged by default. */
  readonly form?: ResponseStyle
  /** See `UpstreamBody.toolNames`. */
  readonly toolNames?: ToolNames
}

/** A buffered response: its usage, and what the caller receives. */
export type ResponseReading =
  | {
      readonly ok: true
      /** The upstream's count; `undefined` when it sent none that can be charged. */
      readonly usage: Usage | undefined
      /** The latest count, whose prompt part holds where the rest does not; `usage` by default. */
      readonly latestUsage?: Usage | undefined
      /** The number of images made, which the charge counts. */
      readonly made?: number | undefined
      /** Files that must be fetched before the response has the form that its caller requested. */
      readonly linked?: LinkedFiles<Extract<ResponseReading, { ok: true }>> | undefined
      /** Items that the caller does not get, by their places; absent without any. */
      readonly leftOut?: readonly string[] | undefined
      /** Reason for which the gateway ended the response early. */
      readonly ended?: 'sensitive_words' | 'output_limit'
      /** The outline that it was read of: what is not in it was not read. */
      readonly outline?: ContentOutline | undefined
      /** Returns the delivered output, for counting when there is no usage. */
      delivered(): Delivered
      /** The body's media type where it is not JSON, or where the gateway wrote it. */
      readonly contentType?: string | undefined
      /** The body for the caller, with the usage that is charged. */
      encode(charged: Usage): Uint8Array | string
    }
  | { readonly ok: false; readonly error: UpstreamErrorInfo }

/** Counting, as billing does it: slow and exact, or at once and never too low. */
export interface TokenCounting {
  countPrompt(model: string, prompt: Prompt): Promise<number>
  countDelivered(model: string, delivered: Delivered): Promise<number>
  roughPrompt(model: string, prompt: Prompt): number
}
