import {
  type CostlyField,
  costlyFields,
  type Delivered,
  type EncodedRequest,
  type EncodeTarget,
  editsFor,
  encodeRerankV2,
  isPricedByCharacter,
  type JsonEdits,
  type ModeCodec,
  type OpenAiRequest,
  type Prompt,
  packedEmbeddings,
  parseJson,
  readModeResponse,
  type StreamReader,
  spokenTokens,
  textOf,
  type Usage,
  usageOf,
  type WireResponse,
  withoutFields,
  withoutItems,
} from '@tollgate/formats'
import { type CallIdentity, type Operation, openAiFormats, type PlainFormat } from '@tollgate/providers'
import type { ImageOrder } from '../../../billing/pricing/media-price.ts'
import type { CallPath, CallRequest, ResponseContext, ResponseReading, TokenCounting } from './dialect.ts'
import { imageOrderOf, imageTokensOf, readImageResponse } from './images.ts'
import { type PlainStreams, plainStreams } from './plain-streams.ts'
import { normalizedResponse, ReceivedResponse } from './received-response.ts'
import type { StreamForm } from './stream-form.ts'

interface JsonRequestOptions {
  readonly counting: TokenCounting
  readonly maxFrameBytes: number
}

const noHeaders: Readonly<Record<string, string>> = {}
const utf8 = new TextDecoder()
const noEdits: JsonEdits = new Map()
const nothingDelivered: Delivered = { text: '', overflowBytes: 0, toolCalls: 0 }

/**
 * A JSON request of a mode other than chat: it passes as received to an upstream of its format, and is translated for one with
 * a format of its own.
 */
export class JsonRequest implements CallRequest {
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
  readonly images: ImageOrder | undefined
  readonly costlyFields: readonly CostlyField[]
  readonly #knownUsage: Usage | undefined
  readonly #streams: PlainStreams
  readonly #path: CallPath
  readonly #options: JsonRequestOptions
  #roughPromptTokens: number | undefined

  constructor(request: OpenAiRequest, path: CallPath, options: JsonRequestOptions) {
    this.format = formatOf(request)
    this.native = request
    this.model = request.model
    this.#knownUsage = knownUsage(request)
    this.#streams = plainStreams(request, this.#knownUsage)
    this.stream = this.#streams.requested
    this.includeUsage = request.includeUsage
    this.images = isForImages(request) ? imageOrderOf(request.model, request.body) : undefined
    this.maxOutputTokens = this.images === undefined ? outputLimit(request) : imageTokensOf(this.images)
    this.candidates = request.n
    this.reasoningEffort = request.reasoningEffort
    this.callerHeaders = path.headers ?? noHeaders
    this.callerQuery = path.query ?? ''
    this.costlyFields = costlyFields(this.format, request.body, this.callerHeaders)
    this.#path = path
    this.#options = options
  }

  withoutFields(fields: readonly CostlyField[]): JsonRequest {
    const { body, edits } = withoutFields(this.native.body, fields)
    const path = { ...this.#path, headers: withoutItems(this.callerHeaders, fields) }
    return new JsonRequest(this.native.edited(edits, body), path, this.#options)
  }

  nativeEdits({ model, streamOptions }: EncodeTarget): JsonEdits {
    if (this.native.mode === 'completions')
      return editsFor(this.native, { upstreamModel: model, streamOptions })
    return model === this.native.body.model ? noEdits : new Map([['model', JSON.stringify(model)]])
  }

  encodeOwn(plain: ModeCodec, target: EncodeTarget): EncodedRequest {
    return plain.encodeRequest(this.native.body, target)
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
    const [inputTokens, outputTokens, spokenTokens] = await Promise.all([
      counting.countPrompt(this.model, this.native.prompt()),
      counting.countDelivered(this.model, delivered),
      this.#spokenTokens(),
    ])
    return { inputTokens, outputTokens, spokenTokens }
  }

  /** The audio of a voice that is not priced by the character. Its instructions are not spoken. */
  async #spokenTokens(): Promise<number | undefined> {
    const { mode, body, model } = this.native
    if (mode !== 'speech' || isPricedByCharacter(model)) return undefined
    const spoken = { ...nothingDelivered, text: textOf(body.input) }
    return spokenTokens(await this.#options.counting.countDelivered(model, spoken))
  }

  readResponse(response: WireResponse, operation: Operation, call: ResponseContext): ResponseReading {
    const reading = this.#readBody(response, operation, call)
    return reading.ok && this.#path.isSecondVersion === true
      ? inSecondVersion(reading, this.native.body, call.requestId)
      : reading
  }

  #readBody(response: WireResponse, operation: Operation, call: ResponseContext): ResponseReading {
    const decodeError: Operation['decodeError'] = (failure) => operation.decodeError(failure)
    if (this.images !== undefined)
      return readImageResponse(response, operation, { ...this.#callFacts(call), body: this.native.body })
    if (operation.plain !== undefined)
      return this.#translate(response, operation.plain, call) ?? failureIn(response, decodeError)
    const text = utf8.decode(response.bytes)
    const normalized = normalizedResponse(text, operation, this.#callFacts(call))
    const body = normalized === undefined ? text : JSON.stringify(normalized)
    const reading = readModeResponse(this.native.mode, body, decodeError)
    if (!reading.ok) return reading
    const packed = this.#wantsPacked ? packedEmbeddings(body) : undefined
    return new ReceivedResponse(reading, packed ?? (normalized === undefined ? response.bytes : body))
  }

  passesWhole({ plain, normalizeResponse }: Operation): boolean {
    const isRewritten = plain !== undefined || normalizeResponse !== undefined
    // An image that came by its address may have to be fetched first.
    const isFilled = this.images !== undefined && this.native.body.response_format === 'b64_json'
    return !isRewritten && !isFilled && !this.#wantsPacked && this.#path.isSecondVersion !== true
  }

  /** The caller reads vectors as base64, which not every upstream writes. */
  get #wantsPacked(): boolean {
    const { mode, body } = this.native
    return mode === 'embeddings' && body.encoding_format === 'base64'
  }

  #callFacts({ requestId: responseId, createdAt }: ResponseContext): CallIdentity {
    return { responseId, createdAt, model: this.model }
  }

  #translate(
    response: WireResponse,
    plain: ModeCodec,
    context: ResponseContext,
  ): ResponseReading | undefined {
    const reading = plain.decodeResponse(response, { ...this.#callFacts(context), body: this.native.body })
    if (reading === undefined) return undefined
    const { usage = this.#knownUsage, contentType } = reading
    const encode = (charged: Usage) => reading.encode(charged)
    return { ok: true, usage, contentType, delivered: () => nothingDelivered, encode }
  }

  get streamForm(): StreamForm {
    return this.#streams.form
  }

  isStreamed(operation: Operation): boolean {
    return this.#streams.isStreamed(operation)
  }

  get streamType() {
    return this.#streams.type
  }

  readStream(operation: Operation, call: ResponseContext): StreamReader {
    return this.#streams.reader(operation, this.#options.maxFrameBytes, this.#callFacts(call))
  }
}

/** A voice that is priced by the characters it speaks. */
function knownUsage(request: OpenAiRequest): Usage | undefined {
  if (request.mode !== 'speech' || !isPricedByCharacter(request.model)) return undefined
  return usageOf({ inputTokens: request.prompt().tokens })
}

function isForImages({ mode }: OpenAiRequest): boolean {
  return mode === 'images' || mode === 'image-edits'
}

/** The format of a mode other than chat. */
function formatOf({ mode }: OpenAiRequest): PlainFormat {
  const format = openAiFormats[mode]
  if (format === 'openai-chat') throw new TypeError('chat is no plain request')
  return format
}

function failureIn({ bytes }: WireResponse, decodeError: Operation['decodeError']): ResponseReading {
  return { ok: false, error: decodeError({ status: 200, headers: {}, body: utf8.decode(bytes) }) }
}

/** The response to a rerank in the second version of its form. */
function inSecondVersion(
  reading: Extract<ResponseReading, { ok: true }>,
  request: OpenAiRequest['body'],
  responseId: string,
): ResponseReading {
  const { usage, latestUsage, made } = reading
  const textOfBody = (body: Uint8Array | string) => (typeof body === 'string' ? body : utf8.decode(body))
  return {
    ok: true,
    usage,
    latestUsage,
    made,
    contentType: 'application/json',
    delivered: () => reading.delivered(),
    encode: (charged) =>
      encodeRerankV2(parseJson(textOfBody(reading.encode(charged))), { request, charged, responseId }),
  }
}

/** Over all choices; nothing but completions writes text. */
function outputLimit({ mode, maxOutputTokens, n }: OpenAiRequest): number | undefined {
  if (mode !== 'completions') return 0
  return maxOutputTokens === undefined ? undefined : maxOutputTokens * n
}
