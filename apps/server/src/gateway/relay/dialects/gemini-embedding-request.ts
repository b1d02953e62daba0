import {
  type Delivered,
  type EncodeTarget,
  type GeminiEmbeddingCall,
  geminiEmbeddingEdits,
  geminiEmbeddingResponse,
  geminiVectors,
  type JsonEdits,
  openAiEmbeddingOf,
  type Prompt,
  RequestFault,
  readGeminiEmbedding,
  readGeminiVectors,
  readModeRequest,
  type StreamReader,
  textsToEmbed,
  type Usage,
  usageOf,
  type WireResponse,
} from '@tollgate/formats'
import type { Operation, PlainFormat } from '@tollgate/providers'
import type { PivotBody } from '../../../upstream/call-body.ts'
import type { Restore } from '../../../upstream/request-body/restored-text.ts'
import { type NativeText, restoredValue } from '../bodies/parsed-text.ts'
import type { CallPath, CallRequest, ResponseContext, ResponseReading, TokenCounting } from './dialect.ts'
import { JsonRequest } from './json-request.ts'
import { eventForm } from './stream-form.ts'

interface Options {
  readonly counting: TokenCounting
  readonly maxFrameBytes: number
  readonly maxJsonDepth: number
}

const utf8 = new TextDecoder()
const nothingDelivered: Delivered = { text: '', overflowBytes: 0, toolCalls: 0 }

/** Gemini's `embedContent` and `batchEmbedContents`; upstreams of other formats receive OpenAI's form. */
export class GeminiEmbeddingRequest implements CallRequest {
  readonly format: PlainFormat
  readonly native: NativeText
  readonly model: string
  readonly stream = false
  readonly includeUsage = false
  /** Vectors are not charged for. */
  readonly maxOutputTokens = 0
  readonly candidates = 1
  readonly reasoningEffort = ''
  readonly callerHeaders: Readonly<Record<string, string>>
  readonly callerQuery = ''
  readonly streamForm = eventForm
  readonly #call: GeminiEmbeddingCall
  readonly #isBatch: boolean
  readonly #options: Options
  #openAi: { readonly request: JsonRequest; readonly dropped: readonly string[] } | undefined

  /** @throws RequestFault that names the field */
  constructor(native: NativeText, path: CallPath, options: Options) {
    this.#call = readGeminiEmbedding(native, path)
    this.#isBatch = path.isBatch === true
    this.format = this.#isBatch ? 'gemini-batch-embeddings' : 'gemini-embedding'
    this.native = native
    this.model = this.#call.model
    this.callerHeaders = path.headers ?? {}
    this.#options = options
  }

  nativeEdits({ model }: EncodeTarget): JsonEdits {
    return geminiEmbeddingEdits(this.native, model)
  }

  get restore(): Restore | undefined {
    return this.native.restore
  }

  pivot(): PivotBody {
    const { request, dropped } = this.#inOpenAi()
    return { body: request, dropped }
  }

  #inOpenAi() {
    this.#openAi ??= this.#translated()
    return this.#openAi
  }

  #translated() {
    const { body, dropped } = openAiEmbeddingOf(this.#call)
    const text = JSON.stringify(restoredValue(body, this.restore))
    const reading = readModeRequest('embeddings', text, {
      maxDepth: this.#options.maxJsonDepth,
    })
    if (reading.ok) return { request: new JsonRequest(reading.request, {}, this.#options), dropped }
    const { message, param, code } = reading.error
    throw new RequestFault(message, param, code)
  }

  prompt(): Prompt {
    return { messages: [], tools: [], texts: textsToEmbed(this.#call), tokens: 0 }
  }

  roughPromptTokens(): number {
    return this.#options.counting.roughPrompt(this.model, this.prompt())
  }

  async countTokens() {
    return {
      inputTokens: await this.#options.counting.countPrompt(this.model, this.prompt()),
      outputTokens: 0,
    }
  }

  readResponse(response: WireResponse, operation: Operation, call: ResponseContext): ResponseReading {
    if (operation.format === this.format) return this.#received(response, operation)
    const reading = this.#inOpenAi().request.readResponse(response, operation, call)
    if (!reading.ok) return reading
    const reported = reading.encode(reading.usage ?? usageOf({}))
    const text = typeof reported === 'string' ? reported : utf8.decode(reported)
    const vectors = geminiVectors(text, this.#call, this.#isBatch)
    if (vectors === undefined) return failureIn(response, operation)
    const encode = (charged: Usage) => geminiEmbeddingResponse(vectors, charged)
    return { ok: true, usage: reading.usage, delivered: () => nothingDelivered, encode }
  }

  #received(response: WireResponse, operation: Operation): ResponseReading {
    const found = readGeminiVectors(utf8.decode(response.bytes))
    if (found === undefined) return failureIn(response, operation)
    return { ok: true, usage: found.usage, delivered: () => nothingDelivered, encode: () => response.bytes }
  }

  isStreamed(): boolean {
    return false
  }

  readStream(): StreamReader {
    throw new TypeError('embeddings come whole')
  }
}

function failureIn({ bytes }: WireResponse, operation: Operation): ResponseReading {
  return { ok: false, error: operation.decodeError({ status: 200, headers: {}, body: utf8.decode(bytes) }) }
}
