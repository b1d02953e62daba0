import type { Answer, Delivered, OpenAiError, OpenAiStreamReader } from '@tollgate/formats'
import type { Provider, RelayMode } from '@tollgate/providers'

/** What a caller asks, as far as the relay must know; the body itself is forwarded with named edits only. */
export interface CallRequest {
  readonly model: string
  readonly stream: boolean
  /** The caller asked for usage in its stream. */
  readonly includeUsage: boolean
  /** Limit on the output the caller set, over all choices; `undefined` when there is none. */
  readonly maxOutputTokens: number | undefined
  /** How many answers it asks for: choices, for every prompt of a list. */
  readonly answers: number
  /** Empty when the caller did not say. */
  readonly reasoningEffort: string
  /** Upper estimate of the prompt, without a tokenizer. */
  roughPromptTokens(): number
  /** Prompt and answer counted by a tokenizer. Slow; for upstreams that send no usage. */
  countTokens(delivered: Delivered): Promise<{ readonly inputTokens: number; readonly outputTokens: number }>
  /** The body for an upstream: byte for byte as received but for the named edits. */
  bodyFor(target: {
    upstreamModel: string
    override: Readonly<Record<string, unknown>> | null
    provider: Provider
  }): string
}

/** Follows one stream: what may pass to the caller, what it used, how it ended. Holds at most one frame. */
export type StreamReader = Pick<
  OpenAiStreamReader,
  'push' | 'end' | 'phase' | 'outcome' | 'usage' | 'delivered' | 'trailer'
>

/** One public wire format on the relay's side: reads requests, follows answers, shapes errors. */
export interface Dialect {
  /** @throws RelayError (4xx) that says what is wrong with the body */
  readRequest(mode: RelayMode, body: string, modelFromPath?: string): CallRequest
  readAnswer(mode: RelayMode, body: string, provider: Provider): Answer
  readStream(request: CallRequest, provider: Provider): StreamReader
  errorBody(error: OpenAiError, requestId: string): string
  /** An error after the answer has begun. */
  errorEvent(error: OpenAiError, requestId: string): string
}
