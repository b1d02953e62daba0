import { imageCodec } from '@tollgate/formats'
import { listedImages, refuseSeveral, unsaid } from '../own-images.ts'

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
      dropped: unsaid(request, 'style'),
    }
  },
  decodeAnswer({ json }) {
    return listedImages(json)
  },
})
