import {
  filterReason,
  type ImageRequest,
  type ImageResponse,
  imageCodec,
  isObject,
  listOf,
  type MadeImage,
  RequestFault,
  textOf,
  type Usage,
} from '@tollgate/formats'

/** Width and height of a size, in pixels; `undefined` for `auto`, or without a size. */
export function sidesOf(size: string): readonly [number, number] | undefined {
  const sides = /^(\d{1,5})[x*](\d{1,5})$/.exec(size)
  return sides === null ? undefined : [Number(sides[1]), Number(sides[2])]
}

const ratios = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9'] as const

/**
 * The common aspect ratio nearest to a size; `undefined` when the request names none.
 * @param known ratios that the upstream takes
 */
export function aspectRatioOf(size: string, known: readonly string[] = ratios): string | undefined {
  const [width, height] = sidesOf(size) ?? []
  if (width === undefined || height === undefined || width * height === 0) return undefined
  const wanted = Math.log(width / height)
  return known.toSorted((a, b) => distance(a, wanted) - distance(b, wanted))[0]
}

function distance(ratio: string, wanted: number): number {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  return Math.abs(Math.log(width / height) - wanted)
}

/** Refuses a request for several images, for upstreams that make one image a call. */
export function refuseSeveral({ n }: ImageRequest): void {
  if (n > 1)
    throw new RequestFault(
      'n is not supported: the model is served by an upstream that makes one image at a time',
      'n',
      'unsupported_parameter',
    )
}

/** Refuses a request for addresses, for upstreams that respond with bytes alone. */
export function refuseAddresses({ responseFormat }: ImageRequest): void {
  if (responseFormat === 'url')
    throw new RequestFault(
      `response_format url is not supported by the upstream that serves the model: leave it out`,
      'response_format',
      'unsupported_parameter',
    )
}

/** Names of the caller's fields that the upstream does not receive. */
export function droppedImageOptions(
  request: ImageRequest,
  ...names: readonly ('size' | 'quality' | 'style' | 'user')[]
) {
  return names.filter((name) => request[name] !== '')
}

/** A response that lists its images as OpenAI does; `undefined` for one that has no list. */
export function listedImages(body: unknown, usage?: Usage, list = 'data'): ImageResponse | undefined {
  const images = imagesIn(body, list)
  if (images === undefined || !isObject(body)) return undefined
  const filtered = listOf(body[list])
    .map(filterReason)
    .find((reason) => reason !== undefined)
  return { images, usage, ...(filtered !== undefined && { filtered }) }
}

/** Images as OpenAI's responses list them; `undefined` for a response without any. */
function imagesIn(body: unknown, list = 'data'): readonly MadeImage[] | undefined {
  if (!isObject(body) || !Array.isArray(body[list])) return undefined
  return listOf(body[list]).flatMap((item) => {
    if (!isObject(item)) return []
    const url = textOf(item.url)
    const b64 = textOf(item.b64_json)
    const revisedPrompt = textOf(item.revised_prompt)
    if (url === '' && b64 === '') return []
    return [
      {
        ...(url !== '' && { url }),
        ...(b64 !== '' && { b64 }),
        ...(revisedPrompt !== '' && { revisedPrompt }),
      },
    ]
  })
}

/** https://docs.together.ai/reference/post-images-generations */
export const togetherImages = imageCodec({
  encodeRequest(request, { model }) {
    const { prompt, n, size, responseFormat, vendor } = request
    const [width, height] = sidesOf(size) ?? []
    return {
      body: {
        ...vendor,
        model,
        prompt,
        n,
        ...(width !== undefined && { width, height }),
        ...(responseFormat !== '' && { response_format: responseFormat === 'b64_json' ? 'base64' : 'url' }),
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    return listedImages(json)
  },
})

/** https://docs.x.ai/docs/guides/image-generations */
export const xaiImages = imageCodec({
  encodeRequest(request, { model }) {
    const { prompt, n, size, responseFormat, images, vendor } = request
    const sent = images.map((url) => ({ url, type: 'image_url' }))
    const ratio = aspectRatioOf(size)
    return {
      body: {
        ...(ratio !== undefined && { aspect_ratio: ratio }),
        ...vendor,
        ...(sent.length === 1 && { image: sent[0] }),
        ...(sent.length > 1 && { images: sent }),
        model,
        prompt,
        n,
        ...(responseFormat !== '' && { response_format: responseFormat }),
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    return listedImages(json)
  },
})
