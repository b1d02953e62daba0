import { isObject, openAiChat, type RequestQuirks, type UpstreamCodec } from '@tollgate/formats'
import { amount, type BalanceQuery, balanceAt, field } from '../balance.ts'
import { versionedUrl } from '../endpoint-url.ts'
import { openAiCompatible } from '../openai-compatible.ts'
import type { ChannelTarget } from '../provider.ts'
import { noEdits } from '../quirks.ts'
import { openrouterImages } from './images.ts'

/** OpenRouter says all about thoughts in one object. https://openrouter.ai/docs/use-cases/reasoning-tokens */
const quirks: RequestQuirks = ({ body }) => {
  const { reasoning_effort: effort, reasoning } = body
  if (typeof effort !== 'string') return noEdits
  const wanted = isObject(reasoning) ? reasoning : {}
  const says = 'effort' in wanted || 'max_tokens' in wanted ? wanted : { ...wanted, effort }
  return new Map([
    ['reasoning_effort', undefined],
    ['reasoning', JSON.stringify(says)],
  ])
}

const address =
  (path: string) =>
  ({ baseUrl }: ChannelTarget) =>
    ({ method: 'GET', url: versionedUrl(baseUrl, '/v1', path), headers: {} }) as const

/**
 * What the account has left; of a key that may not see the account, what the key itself may still spend.
 * https://openrouter.ai/docs/api-reference/credits/get-credits
 */
const balance: BalanceQuery = {
  ...balanceAt(address('/credits'), (credits) => {
    const total = amount(field(credits, 'data', 'total_credits'))
    const used = amount(field(credits, 'data', 'total_usage'))
    return total === undefined || used === undefined ? undefined : total - used
  }),
  fallback: balanceAt(address('/key'), (key) => amount(field(key, 'data', 'limit_remaining'))),
}

/** Models whose vendor caches what it is told to are told so, whatever the caller speaks. */
const codec: UpstreamCodec = {
  ...openAiChat,
  encodeRequest: (request, target) => openAiChat.encodeRequest(request, { ...target, cacheMarks: true }),
}

/** https://openrouter.ai/docs/api-reference/overview */
export const openrouter = openAiCompatible({
  id: 'openrouter',
  defaultBaseUrl: 'https://openrouter.ai/api',
  modes: ['chat', 'completions', 'embeddings', 'images'],
  own: { images: openrouterImages },
  // Images are answers of chat.
  paths: (mode) => (mode === 'images' ? '/chat/completions' : undefined),
  streamOptions: true,
  responses: { path: '/responses' },
  quirks,
  codec,
  balance,
  // Whose calls these are, for OpenRouter's own statistics. https://openrouter.ai/docs/app-attribution
  headers: () => ({ 'x-title': 'Tollgate' }),
})
