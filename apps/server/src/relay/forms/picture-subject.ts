import { randomUUID } from 'node:crypto'
import {
  type Delivered,
  type EncodeTarget,
  type JsonObject,
  type Prompt,
  RequestFault,
  readModeAnswer,
  textOf,
  type WireAnswer,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import type { ImageOrder } from '../../billing/pricing/image-price.ts'
import type { EncodedFiles } from '../../upstream/call-body.ts'
import type { AnswerContext, WholeReading } from '../dialects/dialect.ts'
import { imageOrderOf, imageTokensOf } from '../dialects/image-order.ts'
import { ReceivedAnswer } from '../dialects/received-answer.ts'
import type { TokenCounting } from '../dialects/token-counting.ts'
import { type Insert, jsonWithFiles } from './file-body.ts'
import { type FormCall, type FormSubject, failedAnswer } from './form-subject.ts'

/** A guess at what a picture counts that is sent, for the reservation. */
const sentTokens = 4160

/** Pictures to change, or to make more of. */
export class PictureSubject implements FormSubject {
  readonly output = 'image'
  readonly knownUsage = undefined
  readonly images: ImageOrder
  readonly #call: FormCall
  readonly #counting: Pick<TokenCounting, 'roughPrompt'>

  constructor(call: FormCall, counting: Pick<TokenCounting, 'roughPrompt'>) {
    this.images = imageOrderOf(call.checked.model, call.checked.fields)
    this.#call = call
    this.#counting = counting
  }

  get maxOutputTokens(): number {
    return imageTokensOf(this.images)
  }

  prompt(): Prompt {
    const images = this.#files().map(() => ({ detail: '', url: '' }))
    const message = { role: 'user', name: '', texts: [], images, audioParts: 0, fileParts: 0 }
    return { messages: [message], tools: [], texts: [textOf(this.#call.checked.fields.prompt)], tokens: 0 }
  }

  roughPromptTokens(): number {
    const text = { ...this.prompt(), messages: [] }
    return this.#counting.roughPrompt(this.images.model, text) + this.#files().length * sentTokens
  }

  suits({ plain }: Operation): boolean {
    return plain !== undefined
  }

  /** As JSON, with the pictures as data URLs that are written while they are sent. */
  encodeOwn({ plain }: Operation, target: EncodeTarget): EncodedFiles {
    if (plain === undefined) throw new TypeError('the upstream takes no pictures')
    const files = this.#files()
    if (files.some(({ head }) => head.name === 'mask')) throw noMask()
    const inserts: Insert[] = files.map(({ file }) => ({ mark: randomUUID(), file }))
    const urls = files.map(
      ({ head }, place) => `data:${typeOf(head.contentType)};base64,${inserts[place]?.mark}`,
    )
    const encoded = plain.encodeRequest(this.#body(urls), target)
    return { text: jsonWithFiles(JSON.stringify(encoded.body), inserts), dropped: encoded.dropped }
  }

  readAnswer(
    answer: WireAnswer,
    operation: Operation,
    { requestId, createdAt }: AnswerContext,
  ): WholeReading {
    if (operation.plain === undefined) {
      const text = new TextDecoder().decode(answer.bytes)
      const reading = readModeAnswer('images', text, (failure) => operation.decodeError(failure))
      return reading.ok ? new ReceivedAnswer(reading, answer.bytes) : reading
    }
    const { model } = this.images
    const call = { body: this.#body([]), model, answerId: requestId, createdAt }
    const reading = operation.plain.decodeAnswer(answer, call)
    if (reading === undefined) return failedAnswer(answer, operation)
    const { usage, contentType } = reading
    return {
      ok: true,
      usage,
      contentType,
      delivered: () => nothing,
      encode: (charged) => reading.encode(charged),
    }
  }

  #body(images: readonly string[]): JsonObject {
    const { fields, model } = this.#call.checked
    return { ...fields, model, image: images }
  }

  #files() {
    return this.#call.form.parts.flatMap((part) => (part.kind === 'file' ? [part] : []))
  }
}

const nothing: Delivered = { text: '', overflowBytes: 0, toolCalls: 0 }

function noMask(): RequestFault {
  const message = 'mask is not supported: the model is served by an upstream that takes none'
  return new RequestFault(message, 'mask', 'unsupported_parameter')
}

function typeOf(contentType: string): string {
  return /^image\/[\w.+-]+$/.test(contentType) ? contentType : 'image/png'
}
