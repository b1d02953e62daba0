import { imageCodec } from '@tollgate/formats'
import { droppedImageOptions, listedImages } from '../../modes/images.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import { textModes } from '../../provider-row.ts'

/** https://docs.siliconflow.cn/en/api-reference/images/images-generations */
const images = imageCodec({
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

/** https://docs.siliconflow.cn/en/api-reference/chat-completions/chat-completions */
export const siliconflow = openAiCompatible({
  id: 'siliconflow',
  serves: [...textModes, 'rerank', 'images', 'image-edits', 'speech', 'transcriptions'],
  forms: { rerank: 'jina-like' },
  plain: { images, 'image-edits': images },
  paths: { 'image-edits': '/images/generations' },
  codes: { '20012': 'model_not_found', '30001': 'quota' },
  // https://docs.siliconflow.cn/en/api-reference/userinfo/get-user-info
  balance: { path: '/v1/user/info', field: 'data.totalBalance', success: 20_000 },
})
