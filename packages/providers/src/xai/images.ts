import { imageCodec } from '@tollgate/formats'
import { aspectRatioOf, droppedImageOptions, listedImages } from '../own-images.ts'

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
