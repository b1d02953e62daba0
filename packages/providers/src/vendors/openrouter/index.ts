import {
  imageCodec,
  isObject,
  listOf,
  type MadeImage,
  objectOf,
  openAiChat,
  readDataUrl,
  readUsage,
  textOf,
  type UpstreamCodec,
} from '@tollgate/formats'
import { versionedUrl } from '../../endpoint-url.ts'
import { aspectRatioOf, droppedImageOptions, refuseSeveral } from '../../modes/images.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import type { ChannelTarget } from '../../provider.ts'
import { amount, type BalanceQuery, balanceAt, field } from '../../queries/balance.ts'

/** Images are responses of chat. https://openrouter.ai/docs/features/multimodal/image-generation */
const openrouterImages = imageCodec({
  encodeRequest(request, { model }) {
    refuseSeveral(request)
    const ratio = aspectRatioOf(request.size)
    return {
      body: {
        ...(ratio !== undefined && { image_config: { aspect_ratio: ratio } }),
        ...request.vendor,
        model,
        messages: [{ role: 'user', content: request.prompt }],
        modalities: ['image', 'text'],
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    if (!isObject(json) || !Array.isArray(json.choices)) return undefined
    const images = json.choices.flatMap((choice) =>
      listOf(objectOf(objectOf(choice).message).images).map(imageOf),
    )
    const isFiltered = json.choices.some((choice) => objectOf(choice).finish_reason === 'content_filter')
    return { images, usage: readUsage(json.usage), ...(isFiltered && { filtered: '' }) }
  },
})

function imageOf(item: unknown): MadeImage {
  const url = textOf(objectOf(objectOf(item).image_url).url)
  const data = readDataUrl(url)
  return data === undefined ? { url } : { b64: data.data }
}

const address =
  (path: string) =>
  ({ baseUrl }: ChannelTarget) =>
    ({ method: 'GET', url: versionedUrl(baseUrl, '/v1', path), headers: {} }) as const

/** Balance of the account; for a key that may not read it, the amount that the key itself may still spend. */
const balance: BalanceQuery = {
  ...balanceAt(address('/credits'), (credits) => {
    const total = amount(field(credits, 'data', 'total_credits'))
    const used = amount(field(credits, 'data', 'total_usage'))
    return total === undefined || used === undefined ? undefined : total - used
  }),
  fallback: balanceAt(address('/key'), (key) => amount(field(key, 'data', 'limit_remaining'))),
}

/** Passes cache marks on from callers of any format, for models whose vendor caches on request. */
const codec: UpstreamCodec = {
  ...openAiChat,
  encodeRequest: (request, target) => openAiChat.encodeRequest(request, { ...target, cacheMarks: true }),
}

/** https://openrouter.ai/docs/api-reference/overview */
export const openrouter = openAiCompatible({
  id: 'openrouter',
  serves: ['chat', 'completions', 'embeddings', 'images'],
  plain: { images: openrouterImages },
  // Images are responses of chat.
  paths: (mode) => (mode === 'images' ? '/chat/completions' : undefined),
  also: ['responses'],
  codec,
  balance,
  // Whose calls these are, for OpenRouter's own statistics. https://openrouter.ai/docs/app-attribution
  headers: () => ({ 'x-title': 'Tollgate' }),
})
