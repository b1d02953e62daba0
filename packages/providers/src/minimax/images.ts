import { imageCodec, isObject, listOf, objectOf } from '@tollgate/formats'
import { aspectRatioOf, droppedImageOptions } from '../own-images.ts'

/** https://platform.minimaxi.com/document/image-generation */
export const minimaxImages = imageCodec({
  encodeRequest(request, { model }) {
    const { prompt, n, size, responseFormat, vendor } = request
    const ratio = aspectRatioOf(size)
    return {
      body: {
        ...(ratio !== undefined && { aspect_ratio: ratio }),
        ...vendor,
        model,
        prompt,
        n,
        response_format: responseFormat === 'b64_json' ? 'base64' : 'url',
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    if (!isObject(json) || isFailed(json)) return undefined
    const { image_urls, image_base64 } = objectOf(json.data)
    const images = [
      ...texts(image_urls).map((url) => ({ url })),
      ...texts(image_base64).map((b64) => ({ b64 })),
    ]
    // Blocked ones are counted; https://platform.minimaxi.com/document/image-generation
    const isFiltered = Number(objectOf(json.metadata).failed_count) > 0
    return { images, usage: undefined, ...(isFiltered && { filtered: '' }) }
  },
})

function texts(list: unknown): readonly string[] {
  return listOf(list).filter((item) => typeof item === 'string')
}

/** Failures are a 200, too. */
export function isFailed({ base_resp }: Readonly<Record<string, unknown>>): boolean {
  return !wellCodes.includes(objectOf(base_resp).status_code)
}

const wellCodes: readonly unknown[] = [undefined, null, 0, '0']
