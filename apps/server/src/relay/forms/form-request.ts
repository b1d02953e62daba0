import {
  EventStreamReader,
  type JsonEdits,
  type Prompt,
  type RequestText,
  readModeAnswer,
  readTranscription,
  type StreamReader,
  scanTopLevel,
  textOf,
  transcriptType,
  type Usage,
  usageOf,
  type WireAnswer,
} from '@tollgate/formats'
import { type Operation, openAiFormats, type PlainFormat } from '@tollgate/providers'
import type { ImageOrder } from '../../billing/pricing/image-price.ts'
import type { BodyTarget, FormBody } from '../../upstream/call-body.ts'
import type { CallPath, CallRequest, WholeReading } from '../dialects/dialect.ts'
import { imageOrderOf, imageTokensOf } from '../dialects/image-order.ts'
import { ReceivedAnswer } from '../dialects/received-answer.ts'
import { type StreamForm, silentEventForm } from '../dialects/stream-form.ts'
import type { TokenCounting } from '../dialects/token-counting.ts'
import { formBody } from './form-body.ts'
import { type CheckedForm, type FormMode, isAudioMode } from './form-checks.ts'
import type { ReceivedForm } from './received-form.ts'
import type { RecordedTokens } from './recorded-tokens.ts'

export interface FormCall {
  readonly mode: FormMode
  readonly form: ReceivedForm
  readonly checked: CheckedForm
  /** Of audio. */
  readonly recorded: RecordedTokens | undefined
}

interface FormRequestOptions {
  readonly counting: TokenCounting
  readonly maxFrameBytes: number
}

const noHeaders: Readonly<Record<string, string>> = {}
const utf8 = new TextDecoder()
const noEdits: JsonEdits = new Map()
/** A guess at what an image counts that is sent, for the reservation. */
const imageTokens = 4160

/** A request that is a form: audio to transcribe, images to change. Its files are sent as they are read. */
export class FormCallRequest implements CallRequest {
  readonly format: PlainFormat
  readonly native: RequestText
  readonly model: string
  readonly stream: boolean
  readonly includeUsage = true
  readonly maxOutputTokens: number
  readonly candidates: number
  readonly reasoningEffort = ''
  readonly callerHeaders: Readonly<Record<string, string>>
  readonly callerQuery: string
  readonly images: ImageOrder | undefined
  /** The files are there until an upstream has answered: nothing may go out before, for the call would go on after it. */
  readonly streamForm: StreamForm = silentEventForm
  readonly #call: FormCall
  readonly #options: FormRequestOptions

  constructor(call: FormCall, path: CallPath, options: FormRequestOptions) {
    const { fields, model } = call.checked
    this.format = formatOf(call.mode)
    this.native = textOfFields({ ...fields, model })
    this.model = model
    // Whisper knows no events, and does not heed who asks for them.
    this.stream = fields.stream === true && !model.startsWith('whisper')
    this.images = isAudioMode(call.mode) ? undefined : imageOrderOf(model, fields)
    this.candidates = this.images?.n ?? 1
    this.maxOutputTokens = this.images === undefined ? 0 : imageTokensOf(this.images)
    this.callerHeaders = path.headers ?? noHeaders
    this.callerQuery = path.query ?? ''
    this.#call = call
    this.#options = options
  }

  nativeEdits(): JsonEdits {
    return noEdits
  }

  /** Whether the answer streams is between the caller and the gateway, and files are no setting. */
  encodeForm({ upstreamModel, override }: Pick<BodyTarget, 'upstreamModel' | 'override'>): FormBody {
    const edits = new Map<string, string | undefined>([['model', upstreamModel]])
    for (const [name, value] of Object.entries(override ?? {}))
      if (name !== 'stream') edits.set(name, value === null ? undefined : fieldText(value))
    return formBody(this.#call.form.parts, edits)
  }

  prompt(): Prompt {
    const { recorded, form } = this.#call
    const files = form.parts.filter(({ kind }) => kind === 'file').length
    const images = recorded === undefined ? Array.from({ length: files }, () => noImage) : []
    const message = { role: 'user', name: '', texts: [], images, fileParts: 0 }
    return {
      messages: [{ ...message, audioParts: recorded === undefined ? 0 : 1 }],
      tools: [],
      texts: [textOf(this.native.body.prompt)],
      tokens: recorded?.tokens ?? 0,
    }
  }

  roughPromptTokens(): number {
    const { recorded } = this.#call
    if (recorded !== undefined) return recorded.tokens
    const { messages, ...rest } = this.prompt()
    const images = messages.reduce((sum, message) => sum + message.images.length, 0)
    return this.#options.counting.roughPrompt(this.model, { ...rest, messages: [] }) + images * imageTokens
  }

  async countTokens() {
    const inputTokens = this.#call.recorded?.tokens ?? this.roughPromptTokens()
    return { inputTokens, outputTokens: 0 }
  }

  readAnswer(answer: WireAnswer, operation: Operation): WholeReading {
    const decodeError: Operation['decodeError'] = (failure) => operation.decodeError(failure)
    if (this.images !== undefined) {
      const reading = readModeAnswer('images', utf8.decode(answer.bytes), decodeError)
      return reading.ok ? new ReceivedAnswer(reading, answer.bytes) : reading
    }
    const format = textOf(this.native.body.response_format)
    const reading = readTranscription(answer, format, decodeError)
    if (!reading.ok) return reading
    const { usage = this.#knownUsage } = reading
    const contentType = textTypeOf(answer.contentType, format)
    return { ...reading, usage, contentType, encode: () => answer.bytes }
  }

  isStreamed(): boolean {
    return this.stream
  }

  readStream(operation: Operation): StreamReader {
    return new EventStreamReader({
      output: this.images === undefined ? 'text' : 'image',
      knownUsage: this.#knownUsage,
      maxFrameBytes: this.#options.maxFrameBytes,
      decodeError: (failure) => operation.decodeError(failure),
    })
  }

  /** What a recording counts whose length was measured; the words of its answer are in that. */
  get #knownUsage(): Usage | undefined {
    const { recorded } = this.#call
    return recorded === undefined || recorded.isEstimate
      ? undefined
      : usageOf({ inputTokens: recorded.tokens })
  }
}

const noImage = { detail: '', url: '' }

function formatOf(mode: FormMode): PlainFormat {
  return openAiFormats[mode]
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The fields as a JSON text, for whatever looks at the text of a request. */
function textOfFields(body: RequestText['body']): RequestText {
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 2)
  if (!scan.ok) throw new TypeError('fields of a form are a flat object')
  return { text, scan, body }
}

const sendableTextType = /^(text\/(plain|vtt|srt)|application\/(x-)?subrip)\b[ -~]*$/i

/** `undefined` for JSON. A browser must not take an upstream's text for a page of ours. */
function textTypeOf(upstreamType: string, format: string): string | undefined {
  const usual = transcriptType(format)
  if (usual === undefined || /^application\/json/i.test(upstreamType)) return undefined
  return sendableTextType.test(upstreamType) ? upstreamType : usual
}
