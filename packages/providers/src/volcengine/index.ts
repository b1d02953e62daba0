import { openAiCompatible } from '../openai-compatible.ts'
import type { Provider, Target } from '../provider.ts'
import { arkBaseUrl, seedance } from '../seedance.ts'
import { volcengineImages } from './images.ts'

/** Ark; a model that is a bot has its own address. https://www.volcengine.com/docs/82379/1298454 */
const compatible = openAiCompatible({
  id: 'volcengine',
  defaultBaseUrl: arkBaseUrl,
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

export const volcengine: Provider = {
  ...compatible,
  tasks: { video: (model) => (isVideoModel(model) ? seedance : undefined) },
}

/** Also endpoints of the account's own, whose names say nothing. */
function isVideoModel(model: string): boolean {
  return /seedance|seaweed|^wan\d/.test(model) || model.startsWith('ep-')
}

function isBot({ upstreamModel }: Target): boolean {
  return upstreamModel.startsWith('bot')
}
