import { imageCodec } from '@tollgate/formats'
import { droppedImageOptions, listedImages, sidesOf } from '../own-images.ts'

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
