import {
  applyStyle,
  BufferedBodyScanner,
  type ChatCodec,
  type ChatRequest,
  type CostlyField,
  callIdsIn,
  collectBody,
  type Delivered,
  type EncodeContext,
  type EncodeTarget,
  type Frame,
  type Instructions,
  JsonArrayWriter,
  type JsonEdits,
  type JsonObject,
  type MediaAddress,
  type ModelTurn,
  mediaAddressesIn,
  modelTurnOf,
  noCostlyFields,
  OpenAiStreamReader,
  objectOf,
  outlineOf,
  type Prompt,
  parseExactJson,
  parseJson,
  type RequestFacts,
  RequestFault,
  type ResponseEncoding,
  ResponseStream,
  type ResponseStreamOptions,
  type ResponseStyle,
  readChatOutline,
  readChatResponse,
  readOutline,
  readResponse,
  type StreamReader,
  singleEventCodec,
  styledChat,
  translateResponse,
  type UpstreamCodec,
  type UpstreamFailure,
  type WireResponse,
  withDistinctCalls,
  withFreeCallIds,
  withMediaBytes,
  withoutFields,
  withoutItems,
  withResultsBehindCalls,
  withToolNames,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { type Restore, restored } from '../../../upstream/request-body/restored-text.ts'
import { type NativeText, parseOwn, restoredValue } from '../bodies/parsed-text.ts'
import type { CallPath, CallRequest, ResponseContext, ResponseReading, TokenCounting } from './dialect.ts'
import {
  EditingReader,
  editedBytes,
  eventEdit,
  normalizedResponse,
  normalizeFor,
  ReceivedResponse,
  restoringEdit,
} from './received-response.ts'
import { arrayForm, eventForm, type StreamForm, scannerFor, scannerOfBody } from './stream-form.ts'

interface ChatRequestOptions {
  readonly counting: TokenCounting
  readonly maxFrameBytes: number
}

const noHeaders: Readonly<Record<string, string>> = {}
const noTurn: ModelTurn = { offersFunctions: false, effort: '' }
const utf8 = new TextDecoder()
const nothingDelivered: Delivered = { text: '', overflowBytes: 0, toolCalls: 0 }

function unwrapping(operation: Operation): Pick<ResponseStreamOptions, 'unwrap'> {
  return operation.unwrap === undefined ? {} : { unwrap: (frame: Frame) => operation.unwrap?.(frame) }
}

/** A chat request in one of the public formats, to be served by an upstream of any. */
export class ChatCallRequest implements CallRequest {
  readonly format: ChatCodec['format']
  readonly native: NativeText
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly maxOutputTokens: number | undefined
  readonly candidates: number
  readonly reasoningEffort: string
  readonly callerHeaders: Readonly<Record<string, string>>
  readonly callerQuery: string
  readonly costlyFields: readonly CostlyField[]
  readonly #codec: ChatCodec
  readonly #facts: RequestFacts
  readonly #path: CallPath
  readonly #options: ChatRequestOptions
  #canonical: ChatRequest | undefined
  #prompt: Prompt | undefined
  #roughPromptTokens: number | undefined

  constructor(
    codec: ChatCodec,
    native: NativeText,
    facts: RequestFacts,
    path: CallPath,
    options: ChatRequestOptions,
    costly: readonly CostlyField[] = noCostlyFields,
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
    this.costlyFields = costly
    this.#codec = codec
    this.#facts = facts
    this.#path = path
    this.#options = options
  }

  get wanted(): ChatCodec['format'] {
    return this.#codec.wanted ?? this.format
  }

  /** Offers nothing for a body that cannot be translated: the attempt refuses it by the name of its field. */
  readonly turn = (): ModelTurn => {
    try {
      return modelTurnOf(this.format, outlineOf(this.native), () => this.canonical())
    } catch (error) {
      if (error instanceof RequestFault) return noTurn
      throw error
    }
  }

  get streamForm(): StreamForm {
    return this.#path.asArray === true ? arrayForm : eventForm
  }

  mediaAddresses(): readonly MediaAddress[] {
    return mediaAddressesIn(this.format, outlineOf(this.native))
  }

  withMedia(files: Parameters<typeof withMediaBytes>[2]): ChatCallRequest {
    const { native: received } = this
    const text = withMediaBytes(this.format, received, files)
    const native = parseOwn(received.restore === undefined ? text : restored(text, received.restore))
    return this.#with(native, this.callerHeaders)
  }

  withoutFields(fields: readonly CostlyField[]): ChatCallRequest {
    const { body, edits } = withoutFields(this.native.body, fields)
    return this.#with(this.native.edited(edits, body), withoutItems(this.callerHeaders, fields))
  }

  withText(text: string, body: JsonObject): ChatCallRequest {
    return this.#with(this.native.withText(text, body), this.callerHeaders)
  }

  #with(native: NativeText, headers: ChatCallRequest['callerHeaders']): ChatCallRequest {
    const path = { ...this.#path, headers }
    return new ChatCallRequest(this.#codec, native, this.#facts, path, this.#options, this.costlyFields)
  }

  nativeEdits(target: EncodeTarget): JsonEdits {
    return this.#codec.nativeEdits(this.native, this.#facts, target)
  }

  instructionEdits(instructions: Instructions): JsonEdits | undefined {
    return this.#codec.instructionEdits(this.native, instructions)
  }

  get restore(): Restore | undefined {
    return this.native.restore
  }

  canonical(): ChatRequest {
    this.#canonical ??= withDistinctCalls(
      withResultsBehindCalls(this.#codec.decodeRequest(this.native.body, this.#path)),
    )
    return this.#canonical
  }

  prompt(): Prompt {
    this.#prompt ??= this.#codec.promptOf(outlineOf(this.native))
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

  readResponse(response: WireResponse, operation: Operation, call: ResponseContext): ResponseReading {
    return this.#readOutline(response, operation, call) ?? this.#readWhole(response, operation, call)
  }

  /** Reads a response of its outline, where that is enough and the response passes as it came. */
  #readOutline(
    response: WireResponse,
    operation: Operation,
    call: ResponseContext,
  ): ResponseReading | undefined {
    const { outline } = response.findings
    if (outline === undefined) return undefined
    const value = parseJson(utf8.decode(outline.json))
    const delivered = () => {
      const whole = this.#readWhole(response, operation, call)
      return whole.ok ? whole.delivered() : nothingDelivered
    }
    const reading =
      this.format === 'openai-chat'
        ? readChatOutline(value, delivered)
        : readOutline(value, this.#codec, delivered)
    return reading?.ok === true ? new ReceivedResponse(reading, response.bytes, outline) : undefined
  }

  #readWhole(response: WireResponse, operation: Operation, call: ResponseContext): ResponseReading {
    const text = utf8.decode(response.bytes)
    const reading = this.#readBody(response, text, operation, call)
    return reading.ok ? reading : (this.#readEvents(response.bytes, text, operation, call) ?? reading)
  }

  /** Reads a stream in the place of a buffered response; `undefined` for a body that is none. */
  #readEvents(
    bytes: Uint8Array,
    text: string,
    operation: Operation,
    call: ResponseContext,
  ): ResponseReading | undefined {
    const { maxFrameBytes } = this.#options
    const scanner = scannerOfBody(text, operation.framing, maxFrameBytes)
    if (scanner === undefined) return undefined
    const options = {
      scanner,
      ...unwrapping(operation),
      decoder: this.#withNames(operation, call),
      maxFrameBytes,
      decodeError: (failure: UpstreamFailure) => operation.decodeError(failure),
    }
    const read = collectBody(bytes, options, this.#encoder(this.#formOf(call)), this.#callFacts(call))
    return read.ok ? { ...read, contentType: 'application/json' } : read
  }

  #readBody(
    received: WireResponse,
    text: string,
    operation: Operation,
    call: ResponseContext,
  ): ResponseReading {
    const { bytes } = received
    const parse = (body: string) => received.parse(body)
    const codec = this.#decoder(operation, call)
    const decodeError: Operation['decodeError'] = (failure) => operation.decodeError(failure)
    const form = this.#formOf(call)
    if (codec.format !== this.format)
      return translateResponse(text, codec, this.#encoder(form), this.#callFacts(call), decodeError)
    const response =
      this.format === 'openai-chat'
        ? readChatResponse(text, decodeError, parse)
        : readResponse(text, this.#codec, decodeError, parse)
    if (!response.ok) return response
    const normalized = normalizedResponse(text, operation, this.#callFacts(call))
    const edit = restoringEdit(this.#path.echo, call.toolNames)
    const written =
      form === undefined ? normalized : applyStyle(normalized ?? objectOf(parseExactJson(text)), form)
    if (written === undefined)
      return new ReceivedResponse(response, edit === undefined ? bytes : editedBytes(bytes, edit))
    const body = JSON.stringify(written)
    return new ReceivedResponse(response, edit === undefined ? body : edit(body))
  }

  /**
   * Returns the style of a response. Reasoning stays separate for other formats, which have a field for it, and for responses that must
   * be JSON, which think tags would make invalid.
   */
  #formOf({ form }: ResponseContext): ResponseStyle | undefined {
    if (form === undefined || this.format !== 'openai-chat') return undefined
    const { type } = objectOf(this.native.body.response_format)
    const reasoningInText = form.reasoningInText && (type === undefined || type === 'text')
    return reasoningInText || form.knownFieldsOnly ? { ...form, reasoningInText } : undefined
  }

  #encoder(form: ResponseStyle | undefined): ChatCodec {
    return form === undefined ? this.#codec : styledChat(form)
  }

  passesWhole({ codec = this.#codec, normalizeResponse }: Operation, call: ResponseContext): boolean {
    const isEdited = restoringEdit(this.#path.echo, call.toolNames) !== undefined
    const isRewritten = normalizeResponse !== undefined || this.#formOf(call) !== undefined
    return codec.format === this.format && !isEdited && !isRewritten
  }

  isStreamed(): boolean {
    return this.stream
  }

  readStream(operation: Operation, call: ResponseContext): StreamReader {
    const { maxFrameBytes } = this.#options
    const decodeError: Operation['decodeError'] = (failure) => operation.decodeError(failure)
    const encode = this.#encoding(operation, call)
    const form = this.#formOf(call)
    if (encode === 'as-received' && this.format === 'openai-chat') {
      const { includeUsage } = this
      const changes = { ...(form && { form }), ...normalizeFor(operation, this.#callFacts(call)) }
      const reader = new OpenAiStreamReader({ includeUsage, maxFrameBytes, decodeError, ...changes })
      return this.#restoring(reader, operation, call)
    }
    const reader = new ResponseStream({
      scanner: scannerFor(operation.framing, maxFrameBytes),
      ...unwrapping(operation),
      decoder: this.#decoder(operation, call),
      encode,
      ...(this.#path.asArray === true && { writer: new JsonArrayWriter() }),
      maxFrameBytes,
      decodeError,
    })
    return this.#restoring(reader, operation, call)
  }

  /** Reads the upstream's format: as the caller knows tools and calls where the response is translated. */
  #decoder(operation: Operation, call: ResponseContext): UpstreamCodec {
    const { codec = this.#codec } = operation
    return codec.format === this.format ? codec : this.#withNames(operation, call)
  }

  /** The same for a response that is always written anew. */
  #withNames({ codec = this.#codec }: Operation, { toolNames }: ResponseContext): UpstreamCodec {
    const named = toolNames === undefined ? codec : withToolNames(codec, toolNames)
    const translated = codec.format === this.format ? undefined : this.#canonical
    return translated === undefined ? named : withFreeCallIds(named, () => callIdsIn(translated))
  }

  #restoring(reader: StreamReader, { format }: Operation, { toolNames }: ResponseContext): StreamReader {
    const edit = format === this.format ? restoringEdit(this.#path.echo, toolNames) : undefined
    return edit === undefined ? reader : new EditingReader(reader, eventEdit(edit))
  }

  readUnstreamed(operation: Operation, call: ResponseContext): StreamReader {
    const { maxFrameBytes } = this.#options
    return new ResponseStream({
      scanner: new BufferedBodyScanner(maxFrameBytes),
      decoder: singleEventCodec(this.#withNames(operation, call), this.#codec.callRules),
      encode: { codec: this.#encoder(this.#formOf(call)), call: this.#callFacts(call) },
      ...(this.#path.asArray === true && { writer: new JsonArrayWriter() }),
      maxFrameBytes,
      decodeError: (failure) => operation.decodeError(failure),
    })
  }

  #encoding(operation: Operation, call: ResponseContext): ResponseEncoding {
    if (operation.format !== this.format)
      return { codec: this.#encoder(this.#formOf(call)), call: this.#callFacts(call) }
    const isReceived =
      operation.framing === 'sse' && operation.unwrap === undefined && this.#path.asArray !== true
    return isReceived ? 'as-received' : 'as-events'
  }

  #callFacts({ requestId, createdAt, nowSeconds }: ResponseContext): EncodeContext {
    const repeated = this.#codec.echoOf?.(outlineOf(this.native))
    const echo = repeated && { ...restoredValue(repeated, this.restore), ...this.#path.echo }
    return {
      model: this.model,
      responseId: requestId,
      createdAt,
      nowSeconds,
      includeUsage: this.includeUsage,
      estimatedInputTokens: this.roughPromptTokens(),
      ...(echo !== undefined && { echo }),
      stopSequences: this.#canonical?.sampling.stop,
    }
  }
}
