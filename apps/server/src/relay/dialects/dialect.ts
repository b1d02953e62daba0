import type {
  ApiError,
  CostlyField,
  Delivered,
  ErrorContext,
  JsonObject,
  LinkedFiles,
  MediaAddress,
  Prompt,
  RequestFacts,
  ResponseStyle,
  StreamReader,
  TextFrame,
  UpstreamErrorInfo,
  Usage,
  WireResponse,
} from '@tollgate/formats'
import type { HeaderFields } from '@tollgate/http/server'
import type { CallMode, Operation } from '@tollgate/providers'
import type { ImageOrder } from '../../billing/pricing/image-price.ts'
import type { ResponseOwner } from '../../store/repositories/stored-responses.ts'
import type { CallBody } from '../../upstream/call-body.ts'
import type { ReceivedForm } from '../forms/received-form.ts'
import type { StreamForm } from './stream-form.ts'

/** One public wire format on the relay's side: reads requests, shapes errors. */
export interface Dialect {
  /**
   * Reads a request: at once, unless its format has the gateway look up what it names.
   * @throws RelayError (4xx) that says what is wrong with the body
   */
  read(mode: CallMode, body: string, received: ReceivedCall): ReadCall | Promise<ReadCall>
  /**
   * As `read`, of a request that is a form; absent where the format has no forms.
   * @throws RelayError (4xx) that names the field
   */
  readForm?(mode: CallMode, form: ReceivedForm, received: ReceivedCall): Promise<CallRequest>
  /** Body of an answer that is an error. */
  errorBody(error: ApiError): string
  /** An error after a stream has begun: the events that end it. */
  errorEvents(error: ApiError, call: ErrorContext): readonly TextFrame[]
}

/** Which public format a caller speaks: in requests, responses and errors. */
export type DialectName = 'openai' | 'responses' | 'anthropic' | 'gemini'

/** Header fields of a request, one by one. */
export type CallerFields = HeaderFields & { entries(): Iterable<readonly [name: string, value: string]> }

/** A call as it came, beside its body. */
export interface ReceivedCall {
  /** What its path says. */
  readonly match: Pick<CallPath, 'model' | 'stream' | 'isEdit' | 'isBatch' | 'isCompaction'>
  /** With its question mark; empty when there is none. */
  readonly query: string
  readonly headers: CallerFields
  /** Who may come back to the response. */
  readonly owner: ResponseOwner
}

/** A request that was read, and what stores its response for its caller, where the format stores responses. */
export interface ReadCall {
  readonly request: CallRequest
  readonly storeResponse?: (response: Uint8Array | string) => void
}

/** What the path and the headers of a request say beside its body. */
export interface CallPath {
  /** The model, where the path names it. */
  readonly model?: string
  /** Whether the answer streams, where the path says it. */
  readonly stream?: boolean
  /** Events are asked for as one JSON array, Gemini's form without `alt=sse`. */
  readonly asArray?: boolean
  /** The path is OpenAI's `/v1/edits`, which is asked as chat. */
  readonly isEdit?: boolean
  /** The path asks for a shorter conversation. */
  readonly isCompaction?: boolean
  /** The path asks for many embeddings at once. */
  readonly isBatch?: boolean
  /** Fields of the caller that an upstream of the same format is to get. */
  readonly headers?: Readonly<Record<string, string>>
  /** What an upstream of the same format is to get behind its path, question mark included. */
  readonly query?: string
  /** What the answer says of the call that the body as it is sent upstream does not. */
  readonly echo?: JsonObject
}

/** What a caller asks, as far as the relay must know; the body itself is forwarded with named edits, or translated. */
export interface CallRequest extends CallBody, RequestFacts {
  /** Fields of the caller that an upstream of the same format is to get. */
  readonly callerHeaders: Readonly<Record<string, string>>
  /** The same of the query, question mark included; empty for none. */
  readonly callerQuery: string
  readonly streamForm: StreamForm
  /** What it names by address; absent for formats that name nothing. */
  mediaAddresses?(): readonly MediaAddress[]
  /** The same request with files in the place of their addresses. */
  withMedia?(files: ReadonlyMap<string, { readonly mediaType: string; readonly data: string }>): CallRequest
  /** Fields that change what the vendor charges, or concern its privacy; absent for requests that have no such fields. */
  readonly costlyFields?: readonly CostlyField[]
  /** The same request without some of them. */
  withoutFields?(fields: readonly CostlyField[]): CallRequest
  /** Of a call for images, which is charged by the piece where no tokens are counted. */
  readonly images?: ImageOrder | undefined
  /** Whether an operation's answer to it comes piece by piece. */
  isStreamed(operation: Operation): boolean
  /**
   * The media type of the caller's stream, for the upstream's type; `undefined` when that type is no stream.
   * Absent where the form of streams and the operation's framing say it.
   */
  readonly streamType?: ((upstreamType: string) => string | undefined) | undefined
  /** What of the body counts as its prompt. */
  prompt(): Prompt
  /** Upper estimate of the prompt, without a tokenizer. */
  roughPromptTokens(): number
  /** Prompt and answer counted by a tokenizer. Slow; for upstreams that send no usage. */
  countTokens(delivered: Delivered): Promise<{ readonly inputTokens: number; readonly outputTokens: number }>
  /** Reads a whole 2xx answer of an operation. */
  readResponse(response: WireResponse, operation: Operation, call: ResponseContext): ResponseReading
  /** Follows a streamed answer of an operation. */
  readStream(operation: Operation, call: ResponseContext): StreamReader
  /**
   * Makes a stream of a whole answer, of an upstream that was asked for a stream and gave none. Absent where such an
   * answer is of no use to the caller.
   */
  readUnstreamed?(operation: Operation, call: ResponseContext): StreamReader
}

/** What answers in the caller's format are made with. */
export interface ResponseContext {
  readonly requestId: string
  /** Unix seconds. */
  readonly createdAt: number
  /** The same, at the moment it is asked. */
  readonly nowSeconds?: (() => number) | undefined
  /** How the channel wants answers of Chat Completions written; as they are when not said. */
  readonly form?: ResponseStyle
}

/** A whole answer: what it used, and what the caller gets. */
export type ResponseReading =
  | {
      readonly ok: true
      /** The upstream's count; `undefined` when it sent none that can be charged. */
      readonly usage: Usage | undefined
      /** What is known of the prompt where the rest of the count does not hold; as `usage` when not said. */
      readonly latestUsage?: Usage | undefined
      /** Of images: how many were made, which are what is charged. */
      readonly made?: number | undefined
      /** Files that must be fetched before the answer is what its caller asked for. */
      readonly linked?: LinkedFiles<Extract<ResponseReading, { ok: true }>> | undefined
      /** Why the answer is not whole, where we have ended it. */
      readonly ended?: 'sensitive_words'
      /** What the answer delivered, for counting when there is no usage. */
      delivered(): Delivered
      /** The body's media type where it is no JSON, or was written by us. */
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
