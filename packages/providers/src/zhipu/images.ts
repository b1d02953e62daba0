import { imageCodec } from '@tollgate/formats'
import { droppedImageOptions, listedImages, refuseSeveral } from '../own-images.ts'

/** CogView: one image at a time, by its address. https://docs.bigmodel.cn/api-reference */
export const zhipuImages = imageCodec({
  encodeRequest(request, { model }) {
    refuseSeveral(request)
    const { prompt, size, quality, user, vendor } = request
    return {
      body: {
        ...vendor,
        model,
        prompt,
        ...(size !== '' && { size }),
        ...(quality !== '' && { quality }),
        ...(user !== '' && { user_id: user }),
      },
      dropped: droppedImageOptions(request, 'style'),
    }
  },
  decodeResponse({ json }) {
    return listedImages(json)
  },
})
