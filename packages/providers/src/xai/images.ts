import { imageCodec } from '@tollgate/formats'
import { aspectRatioOf, imagesIn, unsaid } from '../own-images.ts'

/** https://docs.x.ai/docs/guides/image-generations */
export const xaiImages = imageCodec({
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
        ...(responseFormat !== '' && { response_format: responseFormat }),
      },
      dropped: unsaid(request, 'quality', 'style', 'user'),
    }
  },
  decodeAnswer({ json }) {
    const images = imagesIn(json)
    return images && { images, usage: undefined }
  },
})
