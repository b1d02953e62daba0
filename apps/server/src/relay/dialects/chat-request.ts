import {
  type AnsweredCall,
  AnswerStream,
  type ChatCodec,
  type ChatRequest,
  type Delivered,
  type EncodeTarget,
  type JsonEdits,
  OpenAiStreamReader,
  type Prompt,
  type RequestFacts,
  type RequestText,
  readChatAnswer,
  type StreamReader,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { readConvertedAnswer, readNativeAnswer } from './chat-answer.ts'
import type { AnswerContext, CallPath, CallRequest, StreamForm, WholeReading } from './dialect.ts'
import { ArrayStream, arrayForm } from './json-array-stream.ts'
import { scannerFor } from './scanners.ts'
import type { TokenCounting } from './token-counting.ts'

interface ChatRequestOptions {
  readonly counting: TokenCounting
  readonly maxFrameBytes: number
}

const eventForm: StreamForm = { contentType: 'text/event-stream; charset=utf-8', ping: ': PING\n\n' }
const noHeaders: Readonly<Record<string, string>> = {}
const utf8 = new TextDecoder()

/** A chat request in one of the public formats, to be served by an upstream of any. */
export class ChatCallRequest implements CallRequest {
  readonly format: ChatCodec['format']
  readonly native: RequestText
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly maxOutputTokens: number | undefined
  readonly candidates: number
  readonly reasoningEffort: string
  readonly callerHeaders: Readonly<Record<string, string>>
  readonly callerQuery: string
  readonly #codec: ChatCodec
  readonly #facts: RequestFacts
  readonly #path: CallPath
  readonly #options: ChatRequestOptions
  #canonical: ChatRequest | undefined
  #prompt: Prompt | undefined
  #roughPromptTokens: number | undefined

  constructor(
    codec: ChatCodec,
    native: RequestText,
    facts: RequestFacts,
    path: CallPath,
    options: ChatRequestOptions,
  ) {
    this.format = codec.format
    this.native = native
    this.model = facts.model
    this.stream = facts.stream
    this.includeUsage = facts.includeUsage
    this.maxOutputTokens = facts.maxOutputTokens
    this.candidates = facts.candidates
    this.reasoningEffort = facts.reasoningEffort
    this.callerHeaders = path.headers ?? noHeaders
    this.callerQuery = path.query ?? ''
    this.#codec = codec
    this.#facts = facts
    this.#path = path
    this.#options = options
  }

  get streamForm(): StreamForm {
    return this.#path.asArray === true ? arrayForm : eventForm
  }

  nativeEdits(target: EncodeTarget): JsonEdits {
    return this.#codec.nativeEdits(this.native, this.#facts, target)
  }

  canonical(): ChatRequest {
    this.#canonical ??= this.#codec.decodeRequest(this.native.body, this.#path)
    return this.#canonical
  }

  prompt(): Prompt {
    this.#prompt ??= this.#codec.promptOf(this.native.body)
    return this.#prompt
  }

  roughPromptTokens(): number {
    const { counting } = this.#options
    this.#roughPromptTokens ??= counting.roughPrompt(this.model, this.prompt())
    return this.#roughPromptTokens
  }

  async countTokens(delivered: Delivered) {
    const { counting } = this.#options
    const [inputTokens, outputTokens] = await Promise.all([
      counting.countPrompt(this.model, this.prompt()),
      counting.countDelivered(this.model, delivered),
    ])
    return { inputTokens, outputTokens }
  }

  readAnswer(bytes: Uint8Array, operation: Operation, call: AnswerContext): WholeReading {
    const { codec } = operation
    if (codec === undefined || codec.format === this.format) return this.#readNative(bytes, operation)
    return readConvertedAnswer(utf8.decode(bytes), codec, this.#codec, this.#answered(call))
  }

  #readNative(bytes: Uint8Array, operation: Operation): WholeReading {
    const text = utf8.decode(bytes)
    if (this.format !== 'openai-chat') return readNativeAnswer(text, bytes, this.#codec)
    const answer = readChatAnswer(text, (failure) => operation.decodeError(failure))
    if (!answer.ok) return answer
    return { ok: true, usage: answer.usage, delivered: () => answer.delivered(), body: bytes }
  }

  readStream(operation: Operation, call: AnswerContext): StreamReader {
    const { maxFrameBytes } = this.#options
    if (operation.format === this.format && this.format === 'openai-chat') {
      return new OpenAiStreamReader({
        includeUsage: this.includeUsage,
        maxFrameBytes,
        decodeError: (failure) => operation.decodeError(failure),
      })
    }
    const reader = this.#answerStream(operation, call)
    return this.#path.asArray === true ? new ArrayStream(reader) : reader
  }

  #answerStream(operation: Operation, call: AnswerContext): StreamReader {
    const { codec = this.#codec, unwrap } = operation
    // Frames of another framing are none that a caller knows, even in its own format.
    const isNative = operation.format === this.format && operation.framing === 'sse' && unwrap === undefined
    return new AnswerStream({
      scanner: scannerFor(operation.framing, this.#options.maxFrameBytes),
      ...(unwrap !== undefined && { unwrap: (frame) => unwrap.call(operation, frame) }),
      decoder: codec,
      encode: isNative ? 'as-received' : { codec: this.#codec, call: this.#answered(call) },
    })
  }

  #answered({ requestId, createdAt }: AnswerContext): AnsweredCall {
    return {
      model: this.model,
      answerId: requestId,
      createdAt,
      includeUsage: this.includeUsage,
      roughInputTokens: this.roughPromptTokens(),
    }
  }
}
