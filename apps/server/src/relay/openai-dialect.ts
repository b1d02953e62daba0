import {
  applyEdits,
  type Delivered,
  editsFor,
  encodeErrorBody,
  encodeErrorEvent,
  type OpenAiRequest,
  OpenAiStreamReader,
  type Prompt,
  readChatAnswer,
  readChatRequest,
  readCompletionRequest,
  readEmbeddingAnswer,
  readEmbeddingRequest,
} from '@tollgate/formats'
import type { RelayMode } from '@tollgate/providers'
import type { CallRequest, Dialect } from './dialect.ts'
import { RelayError } from './relay-error.ts'

/** Counting, as billing does it: slow and exact, or at once and never too low. */
export interface TokenCounting {
  countPrompt(model: string, prompt: Prompt): Promise<number>
  countDelivered(model: string, delivered: Delivered): Promise<number>
  roughPrompt(model: string, prompt: Prompt): number
}

export interface OpenAiDialectOptions {
  readonly counting: TokenCounting
  readonly maxJsonDepth: number
  /** Largest event of a stream that is accepted from an upstream. */
  readonly maxFrameBytes: number
}

const readers = {
  chat: readChatRequest,
  completions: readCompletionRequest,
  embeddings: readEmbeddingRequest,
} as const satisfies Record<RelayMode, unknown>

/** OpenAI's Chat Completions and its sister endpoints, spoken on both sides: bodies pass as received. */
export function createOpenAiDialect({
  counting,
  maxJsonDepth,
  maxFrameBytes,
}: OpenAiDialectOptions): Dialect {
  return {
    readRequest(mode, body, modelFromPath) {
      const text = modelFromPath === undefined ? body : withModel(body, modelFromPath)
      const reading = readers[mode](text, { maxDepth: maxJsonDepth })
      if (reading.ok) return new OpenAiCallRequest(reading.request, counting)
      const { message, param, code } = reading.error
      throw new RelayError('invalid_request', message, { param, upstreamCode: code })
    },
    readAnswer: (mode, body, provider) =>
      mode === 'embeddings'
        ? readEmbeddingAnswer(body, provider.decodeError)
        : readChatAnswer(body, provider.decodeError),
    readStream: (request, provider) =>
      new OpenAiStreamReader({
        includeUsage: request.includeUsage,
        maxFrameBytes,
        decodeError: provider.decodeError,
      }),
    errorBody: encodeErrorBody,
    errorEvent: encodeErrorEvent,
  }
}

/** Every call makes one: of its methods most calls need two. */
class OpenAiCallRequest implements CallRequest {
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly maxOutputTokens: number | undefined
  readonly answers: number
  readonly reasoningEffort: string
  readonly #request: OpenAiRequest
  readonly #counting: TokenCounting

  constructor(request: OpenAiRequest, counting: TokenCounting) {
    this.model = request.model
    this.stream = request.stream
    this.includeUsage = request.includeUsage
    this.maxOutputTokens = outputLimit(request)
    this.answers = request.n
    this.reasoningEffort = request.reasoningEffort
    this.#request = request
    this.#counting = counting
  }

  roughPromptTokens(): number {
    return this.#counting.roughPrompt(this.model, this.#request.prompt())
  }

  async countTokens(delivered: Delivered) {
    const [inputTokens, outputTokens] = await Promise.all([
      this.#counting.countPrompt(this.model, this.#request.prompt()),
      this.#counting.countDelivered(this.model, delivered),
    ])
    return { inputTokens, outputTokens }
  }

  bodyFor({ upstreamModel, override, provider }: Parameters<CallRequest['bodyFor']>[0]): string {
    const edits = editsFor(this.#request, {
      upstreamModel,
      streamOptions: provider.streamOptions,
      paramOverride: override ?? undefined,
      quirks: provider.quirks,
    })
    return applyEdits(this.#request, edits)
  }
}

/** Over all choices; embeddings have no output. */
function outputLimit({ mode, maxOutputTokens, n }: OpenAiRequest): number | undefined {
  if (mode === 'embeddings') return 0
  return maxOutputTokens === undefined ? undefined : maxOutputTokens * n
}

/** `/v1/engines/{model}/embeddings`: the path names the model when the body does not. */
function withModel(body: string, model: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || 'model' in parsed)
      return body
    return JSON.stringify({ model, ...parsed })
  } catch {
    return body
  }
}
