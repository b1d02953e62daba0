import {
  imageCodec,
  isObject,
  listOf,
  type MadeImage,
  objectOf,
  readDataUrl,
  readUsage,
  textOf,
} from '@tollgate/formats'
import { aspectRatioOf, droppedImageOptions, refuseSeveral } from '../own-images.ts'

/** Images are answers of chat. https://openrouter.ai/docs/features/multimodal/image-generation */
export const openrouterImages = imageCodec({
  encodeRequest(request, { model }) {
    refuseSeveral(request)
    const ratio = aspectRatioOf(request.size)
    return {
      body: {
        ...(ratio !== undefined && { image_config: { aspect_ratio: ratio } }),
        ...request.vendor,
        model,
        messages: [{ role: 'user', content: request.prompt }],
        modalities: ['image', 'text'],
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    if (!isObject(json) || !Array.isArray(json.choices)) return undefined
    const images = json.choices.flatMap((choice) =>
      listOf(objectOf(objectOf(choice).message).images).map(imageOf),
    )
    const isFiltered = json.choices.some((choice) => objectOf(choice).finish_reason === 'content_filter')
    return { images, usage: readUsage(json.usage), ...(isFiltered && { filtered: '' }) }
  },
})

function imageOf(item: unknown): MadeImage {
  const url = textOf(objectOf(objectOf(item).image_url).url)
  const data = readDataUrl(url)
  return data === undefined ? { url } : { b64: data.data }
}
