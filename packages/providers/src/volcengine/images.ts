import { imageCodec, isObject, objectOf, readMediaUsage } from '@tollgate/formats'
import { droppedImageOptions, listedImages } from '../own-images.ts'

/**
 * Seedream: several images are a sequence. Its usage is of what it made alone.
 * https://www.volcengine.com/docs/82379/1541523
 */
export const volcengineImages = imageCodec({
  encodeRequest(request, { model }) {
    const { prompt, n, size, responseFormat, images, vendor } = request
    return {
      body: {
        ...(n > 1 && {
          sequential_image_generation: 'auto',
          sequential_image_generation_options: { max_images: n },
        }),
        ...vendor,
        ...(images.length > 0 && { image: images.length === 1 ? images[0] : images }),
        model,
        prompt,
        ...(size !== '' && { size }),
        ...(responseFormat !== '' && { response_format: responseFormat }),
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    const { usage } = objectOf(json)
    const counted = isObject(usage) ? { input_tokens: 0, ...usage } : undefined
    return listedImages(json, readMediaUsage(counted, 'image'))
  },
})
