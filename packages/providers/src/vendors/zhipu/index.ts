import {
  imageCodec,
  type JsonEdits,
  objectOf,
  type RequestQuirks,
  type RequestText,
  textOf,
} from '@tollgate/formats'
import { bearer, type SignedCredential } from '../../credential.ts'
import { mergeEdits, noEdits } from '../../edits/json-edits.ts'
import { editMessages, type MessageEdit } from '../../edits/message-edits.ts'
import { zhipuCodes, zhipuToken } from '../../families/zhipu.ts'
import { isModel } from '../../models/model-facts.ts'
import { droppedImageOptions, listedImages, refuseSeveral } from '../../modes/images.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'

/** CogView: one image at a time, by its address. https://docs.bigmodel.cn/api-reference */
const zhipuImages = imageCodec({
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

/** https://docs.bigmodel.cn/api-reference/%E6%A8%A1%E5%9E%8B-api/%E5%AF%B9%E8%AF%9D%E8%A1%A5%E5%85%A8 */
const quirks: RequestQuirks = (request, model) =>
  mergeEdits(
    isModel('zhipu-before-4.5', model) ? withoutZero(request) : noEdits,
    isModel('zhipu-before-4.5', model) ? editMessages(request, bareImages) : noEdits,
  )

/** Replaces a temperature of 0, which is refused there, by the switch for no randomness. */
function withoutZero({ body }: RequestText): JsonEdits {
  if (body.temperature !== 0) return noEdits
  return new Map([
    ['temperature', undefined],
    ['do_sample', 'false'],
  ])
}

/** Images are wanted as Base64 alone. */
const bareImages: MessageEdit = (message) => {
  const { content } = message
  if (!Array.isArray(content)) return message
  const parts = content.map(bareImage)
  return parts.some((part, index) => part !== content[index]) ? { ...message, content: parts } : message
}

function bareImage(part: unknown): unknown {
  const { image_url: image } = objectOf(part)
  const url = textOf(objectOf(image).url)
  const bare = url.replace(/^data:image\/[\w.+-]+;base64,/, '')
  return bare === url ? part : { ...objectOf(part), image_url: { ...objectOf(image), url: bare } }
}

/** A key other than a pair goes out unchanged. */
const credential: SignedCredential = {
  kind: 'signed',
  sign(request, target, tools) {
    const isPair = /^[^.]+\.[^.]+$/.test(target.key)
    const proof = isPair ? { authorization: `Bearer ${zhipuToken(target.key, tools)}` } : bearer(target)
    return { ...request, headers: { ...request.headers, ...proof } }
  },
}

/** API v4. Usage always comes in the last chunk, so it need not be asked for. https://docs.bigmodel.cn */
export const zhipu = openAiCompatible({
  id: 'zhipu',
  root: '/api/paas/v4',
  serves: ['chat', 'embeddings', 'images'],
  lacks: ['model-list'],
  plain: { images: zhipuImages },
  quirks,
  codes: zhipuCodes,
  credential,
})
