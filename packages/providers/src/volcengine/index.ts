import { openAiCompatible } from '../openai-compatible.ts'
import type { Target } from '../provider.ts'
import { volcengineImages } from './images.ts'

/** Ark; a model that is a bot has its own address. https://www.volcengine.com/docs/82379/1298454 */
export const volcengine = openAiCompatible({
  id: 'volcengine',
  defaultBaseUrl: 'https://ark.cn-beijing.volces.com',
  root: '/api/v3',
  modes: ['chat', 'embeddings', 'images', 'image-edits'],
  own: { images: volcengineImages, 'image-edits': volcengineImages },
  streamOptions: true,
  responses: { path: '/responses', serves: (target) => !isBot(target) },
  paths: (mode, target) => {
    if (mode === 'image-edits') return '/images/generations'
    return mode === 'chat' && isBot(target) ? '/bots/chat/completions' : undefined
  },
  codeKinds: {
    QuotaExceeded: 'rate_limited',
    InputTextSensitiveContentDetected: 'content_policy',
    InputImageSensitiveContentDetected: 'content_policy',
    OutputTextSensitiveContentDetected: 'content_policy',
    OutputImageSensitiveContentDetected: 'content_policy',
  },
})

function isBot({ upstreamModel }: Target): boolean {
  return upstreamModel.startsWith('bot')
}
