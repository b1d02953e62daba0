import {
  type Delivered,
  type EncodeTarget,
  editsFor,
  type JsonEdits,
  type OpenAiRequest,
  OpenAiStreamReader,
  type Prompt,
  readChatAnswer,
  readEmbeddingAnswer,
  type StreamReader,
} from '@tollgate/formats'
import type { Operation, PlainFormat } from '@tollgate/providers'
import type { CallPath, CallRequest, WholeReading } from './dialect.ts'
import { ReceivedAnswer } from './received-answer.ts'
import { eventForm } from './stream-form.ts'
import type { TokenCounting } from './token-counting.ts'

interface PlainRequestOptions {
  readonly counting: TokenCounting
  readonly maxFrameBytes: number
}

const noHeaders: Readonly<Record<string, string>> = {}
const utf8 = new TextDecoder()

/** A request of a format that is forwarded and never translated: text completions and embeddings. */
export class PlainCallRequest implements CallRequest {
  readonly format: PlainFormat
  readonly native: OpenAiRequest
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly maxOutputTokens: number | undefined
  readonly candidates: number
  readonly reasoningEffort: string
  readonly callerHeaders: Readonly<Record<string, string>>
  readonly callerQuery: string
  readonly streamForm = eventForm
  readonly #options: PlainRequestOptions
  #roughPromptTokens: number | undefined

  constructor(request: OpenAiRequest, path: CallPath, options: PlainRequestOptions) {
    this.format = request.mode === 'embeddings' ? 'openai-embeddings' : 'openai-completions'
    this.native = request
    this.model = request.model
    this.stream = request.stream
    this.includeUsage = request.includeUsage
    this.maxOutputTokens = outputLimit(request)
    this.candidates = request.n
    this.reasoningEffort = request.reasoningEffort
    this.callerHeaders = path.headers ?? noHeaders
    this.callerQuery = path.query ?? ''
    this.#options = options
  }

  nativeEdits({ model, streamOptions }: EncodeTarget): JsonEdits {
    return editsFor(this.native, { upstreamModel: model, streamOptions })
  }

  prompt(): Prompt {
    return this.native.prompt()
  }

  roughPromptTokens(): number {
    const { counting } = this.#options
    this.#roughPromptTokens ??= counting.roughPrompt(this.model, this.native.prompt())
    return this.#roughPromptTokens
  }

  async countTokens(delivered: Delivered) {
    const { counting } = this.#options
    const [inputTokens, outputTokens] = await Promise.all([
      counting.countPrompt(this.model, this.native.prompt()),
      counting.countDelivered(this.model, delivered),
    ])
    return { inputTokens, outputTokens }
  }

  readAnswer(bytes: Uint8Array, operation: Operation): WholeReading {
    const read = this.format === 'openai-embeddings' ? readEmbeddingAnswer : readChatAnswer
    const answer = read(utf8.decode(bytes), (failure) => operation.decodeError(failure))
    return answer.ok ? new ReceivedAnswer(answer, bytes) : answer
  }

  readStream(operation: Operation): StreamReader {
    return new OpenAiStreamReader({
      includeUsage: this.includeUsage,
      maxFrameBytes: this.#options.maxFrameBytes,
      decodeError: (failure) => operation.decodeError(failure),
    })
  }
}

/** Over all choices; embeddings have no output. */
function outputLimit({ mode, maxOutputTokens, n }: OpenAiRequest): number | undefined {
  if (mode === 'embeddings') return 0
  return maxOutputTokens === undefined ? undefined : maxOutputTokens * n
}
