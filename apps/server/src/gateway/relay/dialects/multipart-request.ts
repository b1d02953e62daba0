import {
  type CostlyField,
  costlyFields,
  type EncodeTarget,
  EventStreamReader,
  type JsonEdits,
  type Prompt,
  type RequestText,
  type StreamReader,
  scanTopLevel,
  type Usage,
  type WireResponse,
} from '@tollgate/formats'
import { type Operation, openAiFormats, type PlainFormat } from '@tollgate/providers'
import type { ImageOrder } from '../../../billing/pricing/media-price.ts'
import type { BodyTarget, EncodedFiles } from '../../../upstream/call-body.ts'
import type { FormBody } from '../../../upstream/request-body/sent-body.ts'
import { formBody } from '../forms/form-body.ts'
import type { CheckedForm, FormMode } from '../forms/form-checks.ts'
import type { ReceivedForm } from '../forms/received-form.ts'
import type { CallPath, CallRequest, ResponseContext, ResponseReading } from './dialect.ts'
import { type StreamForm, silentEventForm } from './stream-form.ts'

const noHeaders: Readonly<Record<string, string>> = {}
const noEdits: JsonEdits = new Map()

/** A request that is a form: audio to transcribe, images to change. Its files are sent as they are read. */
export class MultipartRequest implements CallRequest {
  readonly format: PlainFormat
  readonly native: RequestText
  readonly model: string
  readonly stream: boolean
  readonly includeUsage = true
  readonly images: ImageOrder | undefined
  readonly candidates: number
  readonly maxOutputTokens: number
  readonly reasoningEffort = ''
  readonly callerHeaders: Readonly<Record<string, string>>
  readonly callerQuery: string
  readonly costlyFields: readonly CostlyField[]
  /**
   * Form of a stream without pings: the files last until an upstream has responded, and a response that started earlier would outlive
   * them.
   */
  readonly streamForm: StreamForm = silentEventForm
  readonly #call: FormCall
  readonly #subject: FormSubject
  readonly #path: CallPath
  readonly #maxFrameBytes: number
  readonly #left: readonly CostlyField[]

  constructor(
    call: FormCall,
    subject: FormSubject,
    path: CallPath,
    maxFrameBytes: number,
    left: readonly CostlyField[] = [],
  ) {
    const { fields, model } = call.checked
    this.format = formatOf(call.mode)
    this.native = textOfFields({ ...fields, model })
    this.model = model
    // Whisper has no events, and ignores a request for them.
    this.stream = fields.stream === true && !model.startsWith('whisper')
    this.callerHeaders = path.headers ?? noHeaders
    this.callerQuery = path.query ?? ''
    this.images = subject.images
    this.candidates = subject.images?.n ?? 1
    this.maxOutputTokens = subject.maxOutputTokens
    this.#call = call
    this.#subject = subject
    this.costlyFields = costlyFields(this.format, fields, this.callerHeaders)
    this.#path = path
    this.#maxFrameBytes = maxFrameBytes
    this.#left = left
  }

  withoutFields(fields: readonly CostlyField[]): MultipartRequest {
    return new MultipartRequest(this.#call, this.#subject, this.#path, this.#maxFrameBytes, fields)
  }

  nativeEdits(): JsonEdits {
    return noEdits
  }

  /** Ignores overrides of `stream`, which caller and gateway decide, and of files, which are not settings. */
  encodeForm({ upstreamModel, override }: Pick<BodyTarget, 'upstreamModel' | 'override'>): FormBody {
    const edits = new Map<string, string | undefined>([['model', upstreamModel]])
    for (const { param } of this.#left) edits.set(param, undefined)
    for (const [name, value] of Object.entries(override?.fields ?? {}))
      if (name !== 'stream') edits.set(name, value === null ? undefined : fieldText(value))
    return formBody(this.#call.form.parts, edits)
  }

  suits(operation: Operation): boolean {
    return this.#subject.suits(operation)
  }

  encodeFiles(operation: Operation, target: EncodeTarget): EncodedFiles {
    return this.#subject.encodeOwn(operation, target)
  }

  prompt(): Prompt {
    return this.#subject.prompt()
  }

  roughPromptTokens(): number {
    return this.#subject.roughPromptTokens()
  }

  async countTokens() {
    return { inputTokens: this.roughPromptTokens(), outputTokens: 0 }
  }

  readResponse(response: WireResponse, operation: Operation, call: ResponseContext): ResponseReading {
    return this.#subject.readResponse(response, operation, call)
  }

  isStreamed(): boolean {
    return this.stream
  }

  readStream(operation: Operation): StreamReader {
    const { output, knownUsage } = this.#subject
    return new EventStreamReader({
      output,
      knownUsage,
      maxFrameBytes: this.#maxFrameBytes,
      decodeError: (failure) => operation.decodeError(failure),
    })
  }
}

function formatOf(mode: FormMode): PlainFormat {
  return openAiFormats[mode]
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The fields as a JSON text, for code that reads the text of a request. */
function textOfFields(body: RequestText['body']): RequestText {
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 2)
  if (!scan.ok) throw new TypeError('fields of a form are a flat object')
  return { text, scan, body }
}

/** A form that has passed the checks of its mode. */
export interface FormCall {
  readonly mode: FormMode
  readonly form: ReceivedForm
  readonly checked: CheckedForm
}

/** The subject of a form, a recording or images: how it counts, and how upstreams with a format of their own receive it. */
export interface FormSubject {
  /** The content of its response. */
  readonly output: 'text' | 'image'
  readonly images: ImageOrder | undefined
  /** The usage where the upstream counts nothing and the form determines it. */
  readonly knownUsage: Usage | undefined
  readonly maxOutputTokens: number
  prompt(): Prompt
  roughPromptTokens(): number
  /** Decides whether an operation that does not take the form itself can serve it. */
  suits(operation: Operation): boolean
  /** @throws RequestFault for a field that would change the response and that the upstream's format cannot express */
  encodeOwn(operation: Operation, target: EncodeTarget): EncodedFiles
  readResponse(response: WireResponse, operation: Operation, call: ResponseContext): ResponseReading
}

/** The failure, for every kind of form, of a body that is not a response. */
export function failedResponse(response: WireResponse, operation: Operation): ResponseReading {
  const body = new TextDecoder().decode(response.bytes)
  return { ok: false, error: operation.decodeError({ status: 200, headers: {}, body }) }
}
