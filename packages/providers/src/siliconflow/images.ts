import { imageCodec } from '@tollgate/formats'
import { droppedImageOptions, listedImages } from '../own-images.ts'

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
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    return listedImages(json, undefined, 'images') ?? listedImages(json)
  },
})
