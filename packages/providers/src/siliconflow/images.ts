import { imageCodec } from '@tollgate/formats'
import { listedImages, unsaid } from '../own-images.ts'

/** https://docs.siliconflow.cn/en/api-reference/images/images-generations */
export const siliconflowImages = imageCodec({
  encodeRequest(request, { model }) {
    const { prompt, n, size, images, vendor } = request
    const [image] = images
    return {
      body: {
        ...vendor,
        model,
        prompt,
        batch_size: n,
        ...(size !== '' && { image_size: size }),
        ...(image !== undefined && { image }),
      },
      dropped: unsaid(request, 'quality', 'style', 'user'),
    }
  },
  decodeAnswer({ json }) {
    return listedImages(json, undefined, 'images') ?? listedImages(json)
  },
})
