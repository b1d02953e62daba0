import { classifyFailure } from '../errors/error-kind.ts'
import type { UpstreamErrorInfo } from '../errors/upstream-error.ts'
import { numberOf } from '../json/number-text.ts'
import { type JsonObject, listOf, objectOf, parseJson, textOf } from '../json/value.ts'
import type { Usage } from '../usage.ts'
import {
  jsonType,
  type LinkedFiles,
  type ModeCodec,
  type ModeResponse,
  type ModeTranslation,
  noEvents,
  vendorFields,
} from './plain-codec.ts'

/** A call to `/v1/images/generations`. Texts are empty when the caller did not say. */
export interface ImageRequest {
  readonly model: string
  readonly prompt: string
  /** See `imageCount`. */
  readonly n: number
  /** `1024x1024`, `auto` or empty. */
  readonly size: string
  readonly quality: string
  readonly style: string
  /** `url`, `b64_json` or empty: whatever the upstream has. */
  readonly responseFormat: string
  readonly user: string
  /** Images to change, by their addresses or as data URLs; empty to generate a new one. */
  readonly images: readonly string[]
  /** Fields beyond OpenAI's, as received: `seed`, `negative_prompt`. */
  readonly vendor: JsonObject
}

/** Response of an upstream to an order of images. */
export interface ImageResponse {
  readonly images: readonly MadeImage[]
  /** Reason why a filter of the upstream's stopped those that are missing, in its words; absent when it did not. */
  readonly filtered?: string
  /** Tokens, where the upstream counts such. */
  readonly usage: Usage | undefined
}

/** Names of the number of images in the words of vendors. */
const countNames = ['n', 'sampleCount', 'batch_size', 'num_images', 'num_outputs', 'number_of_images']
/** More than any vendor makes at once. */
export const maxImages = 128

/**
 * Number of images that a body asks for, in OpenAI's field or in a vendor's own that passes to it: the largest, as an upstream may
 * follow either.
 */
export function imageCount(body: JsonObject): number {
  const named = [...countNames.map((name) => body[name]), sequenceLength(body)]
  // Fields of forms, and what a lenient upstream reads, are texts.
  const counts = named.map((value) => (typeof value === 'string' ? Number(value) : numberOf(value)))
  const possible = counts.filter((count): count is number => Number.isInteger(count) && Number(count) > 0)
  return Math.min(maxImages, Math.max(1, ...possible))
}

/** Images of a sequence whose length the model chooses when the caller does not. https://www.volcengine.com/docs/82379/1541523 */
const defaultSequence = 15

function sequenceLength(body: JsonObject): unknown {
  if (body.sequential_image_generation !== 'auto') return undefined
  return objectOf(body.sequential_image_generation_options).max_images ?? defaultSequence
}

/** An image by its address, or as base64. */
export interface MadeImage {
  readonly url?: string
  readonly b64?: string
  readonly revisedPrompt?: string
}

const known = [
  'stream',
  'partial_images',
  'model',
  'prompt',
  'n',
  'size',
  'quality',
  'style',
  'response_format',
  'user',
  'image',
  'images',
]

/** The codec of an upstream whose images have a form of their own. */
export function imageCodec(own: ModeTranslation<ImageRequest, ImageResponse>): ModeCodec {
  return {
    encodeRequest(body, target) {
      if (body.stream === true) throw noEvents('stream')
      return own.encodeRequest(decodeImageRequest(body), target)
    },
    decodeResponse(response, { body, createdAt }) {
      const request = decodeImageRequest(body)
      const found = own.decodeResponse(response, request)
      if (found === undefined || found.images.length === 0) return undefined
      const linked = request.responseFormat === 'b64_json' ? linkedIn(found, createdAt) : undefined
      return { ...readingOf(found, createdAt), ...(linked !== undefined && { linked }) }
    },
    refusalIn(response, { body }) {
      const { filtered } = own.decodeResponse(response, decodeImageRequest(body)) ?? {}
      return filtered === undefined ? undefined : contentRefusal(filtered)
    },
  }
}

function readingOf({ images, usage }: ImageResponse, createdAt: number): ModeResponse {
  const list = { created: createdAt, data: images.map(imageItem) }
  return {
    usage,
    contentType: jsonType,
    made: images.length,
    encode: (charged) =>
      JSON.stringify(usage === undefined ? list : { ...list, usage: encodeImageUsage(charged) }),
  }
}

/** A filter stopped all images: what was asked is at fault, not the upstream. */
function contentRefusal(reason: string): UpstreamErrorInfo {
  const stated = reason === '' ? '' : `: ${reason}`
  return {
    kind: 'content_policy',
    status: 400,
    message: `The content filter of the upstream stopped every image${stated}`,
    type: 'invalid_request_error',
    code: 'content_policy_violation',
    param: null,
  }
}

/**
 * The refusal of a list in OpenAI's form that holds no image because a filter stopped them: Seedream gives each an error,
 * xAI says that it does not respect its moderation.
 */
export function filteredImages(items: readonly unknown[]): UpstreamErrorInfo | undefined {
  const reason = items.map(filterReason).find((found) => found !== undefined)
  return reason === undefined ? undefined : contentRefusal(reason)
}

/** Returns why a filter stopped one image; `undefined` when none did. */
export function filterReason(item: unknown): string | undefined {
  const { error, respect_moderation: respects } = objectOf(item)
  const { code, message } = objectOf(error)
  if (respects === false) return ''
  const parts = { code: textOf(code), message: textOf(message), type: '', param: null }
  return classifyFailure(400, parts) === 'content_policy' ? parts.message : undefined
}

/** Images that have nothing but an address. */
function linkedIn(response: ImageResponse, createdAt: number): LinkedFiles<ModeResponse> | undefined {
  const urls = response.images.flatMap(({ url, b64 }) =>
    b64 === undefined && url !== undefined ? [url] : [],
  )
  if (urls.length === 0) return undefined
  return {
    urls,
    withFiles(files) {
      const images = response.images.map((image) => {
        const b64 = image.b64 ?? files.get(image.url ?? '')?.data
        return b64 === undefined ? image : withBytes(image, b64)
      })
      return readingOf({ ...response, images }, createdAt)
    },
  }
}

/**
 * The addresses of a body in OpenAI's form that holds no bytes, and the same body with them; `undefined` for one with bytes.
 * @param body of a response whose caller asked for bytes
 */
export function addressedImages(body: string): LinkedFiles<string> | undefined {
  // Some upstreams name the bytes that they do not send: `"b64_json": null`.
  if (/"b64_json"\s*:\s*"/.test(body)) return undefined
  const response = objectOf(parseJson(body))
  const items = listOf(response.data).map(objectOf)
  return {
    urls: items.map(({ url }) => textOf(url)).filter((url) => url !== ''),
    withFiles(files) {
      const data = items.map(({ url, ...item }) => ({ ...item, b64_json: files.get(textOf(url))?.data }))
      return JSON.stringify({ ...response, data })
    },
  }
}

function withBytes({ url: _url, ...image }: MadeImage, b64: string): MadeImage {
  return { ...image, b64 }
}

/** @param body that has passed the checks of its mode */
function decodeImageRequest(body: JsonObject): ImageRequest {
  return {
    model: textOf(body.model),
    prompt: textOf(body.prompt),
    n: imageCount(body),
    size: textOf(body.size),
    quality: textOf(body.quality),
    style: textOf(body.style),
    responseFormat: textOf(body.response_format),
    user: textOf(body.user),
    images: imagesOf(body.image ?? body.images),
    vendor: vendorFields(body, known),
  }
}

/** One or several; by their addresses, or as objects that hold one. */
function imagesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(imagesOf)
  const { url, image_url } = objectOf(value)
  const address = textOf(value) || textOf(url) || textOf(image_url) || textOf(objectOf(image_url).url)
  return address === '' ? [] : [address]
}

function imageItem({ url, b64, revisedPrompt }: MadeImage) {
  return {
    ...(url !== undefined && { url }),
    ...(b64 !== undefined && { b64_json: b64 }),
    ...(revisedPrompt !== undefined && { revised_prompt: revisedPrompt }),
  }
}

/** Usage as OpenAI reports it for images. */
function encodeImageUsage(usage: Usage): Record<string, unknown> {
  const input = usage.inputTokens + usage.cacheReadTokens
  return {
    total_tokens: input + usage.outputTokens,
    input_tokens: input,
    output_tokens: usage.outputTokens,
    input_tokens_details: {
      text_tokens: input - usage.imageInputTokens,
      image_tokens: usage.imageInputTokens,
    },
  }
}
