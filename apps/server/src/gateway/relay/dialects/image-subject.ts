import { randomUUID } from 'node:crypto'
import {
  type EncodeTarget,
  type JsonObject,
  type Prompt,
  RequestFault,
  textOf,
  type WireResponse,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import type { ImageOrder } from '../../../billing/pricing/media-price.ts'
import type { EncodedFiles } from '../../../upstream/call-body.ts'
import { type Insert, jsonWithFiles } from '../forms/form-body.ts'
import type { ResponseContext, ResponseReading, TokenCounting } from './dialect.ts'
import { imageOrderOf, imageTokensOf, readImageResponse } from './images.ts'
import type { FormCall, FormSubject } from './multipart-request.ts'

/** A guess at what a picture counts that is sent, for the reservation. */
const sentTokens = 4160

/** Pictures to change, or to make more of. */
export class ImageSubject implements FormSubject {
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

  /** Encodes the request as JSON, with the pictures as data URLs that are written while they are sent. */
  encodeOwn({ plain }: Operation, target: EncodeTarget): EncodedFiles {
    if (plain === undefined) throw new TypeError('the upstream takes no pictures')
    const files = this.#files()
    if (files.some(({ head }) => head.name === 'mask')) throw noMask()
    const inserts: Insert[] = files.map(({ file }) => ({ mark: randomUUID(), file }))
    const urls = files.map(
      ({ head }, index) => `data:${typeOf(head.contentType)};base64,${inserts[index]?.mark}`,
    )
    const encoded = plain.encodeRequest(this.#body(urls), target)
    return { text: jsonWithFiles(JSON.stringify(encoded.body), inserts), dropped: encoded.dropped }
  }

  readResponse(
    response: WireResponse,
    operation: Operation,
    { requestId, createdAt }: ResponseContext,
  ): ResponseReading {
    const { model } = this.images
    return readImageResponse(response, operation, {
      body: this.#body([]),
      model,
      responseId: requestId,
      createdAt,
    })
  }

  #body(images: readonly string[]): JsonObject {
    const { fields, model } = this.#call.checked
    return { ...fields, model, image: images }
  }

  #files() {
    return this.#call.form.parts.flatMap((part) => (part.kind === 'file' ? [part] : []))
  }
}

function noMask(): RequestFault {
  const message = 'mask is not supported: the model is served by an upstream that takes none'
  return new RequestFault(message, 'mask', 'unsupported_parameter')
}

function typeOf(contentType: string): string {
  return /^image\/[\w.+-]+$/.test(contentType) ? contentType : 'image/png'
}
