import { imageCodec, isObject, listOf, objectOf, textOf } from '@tollgate/formats'
import { droppedImageOptions, sidesOf } from '../own-images.ts'

/** Models that answer at once. */
export function responsesWithImages(model: string): boolean {
  return /^(qwen-image|z-image|wan(2\.[6-9]|[3-9]))/.test(model)
}

/** https://www.alibabacloud.com/help/en/model-studio/qwen-image-api */
export const aliImages = imageCodec({
  encodeRequest(request, { model }) {
    const { prompt, n, size, vendor } = request
    const sides = sidesOf(size)
    return {
      body: {
        model,
        input: { messages: [{ role: 'user', content: [{ text: prompt }] }] },
        parameters: { ...vendor, n, ...(sides !== undefined && { size: sides.join('*') }) },
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    const { choices } = objectOf(objectOf(json).output)
    if (!isObject(json) || !Array.isArray(choices)) return undefined
    const content = choices.flatMap((choice) => listOf(objectOf(objectOf(choice).message).content))
    const urls = content.map((part) => textOf(objectOf(part).image)).filter((url) => url !== '')
    return { images: urls.map((url) => ({ url })), usage: undefined }
  },
})
