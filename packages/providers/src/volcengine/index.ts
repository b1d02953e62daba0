import { openAiCompatible } from '../openai-compatible.ts'
import type { Provider, Target } from '../provider.ts'
import { arkBaseUrl, seedance } from '../seedance.ts'
import { volcengineImages } from './images.ts'
import { credentialOf, isSpeechKey, speechOf } from './speech.ts'

/** Ark; a model that is a bot has its own address. https://www.volcengine.com/docs/82379/1298454 */
const ark = openAiCompatible({
  id: 'volcengine',
  defaultBaseUrl: arkBaseUrl,
  root: '/api/v3',
  modes: ['chat', 'embeddings', 'images', 'image-edits'],
  own: { images: volcengineImages, 'image-edits': volcengineImages },
  streamOptions: true,
  olderNames: ['system'],
  credential: credentialOf,
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

/** A key of speech opens nothing else, and no other key opens it. */
export const volcengine: Provider = {
  ...ark,
  modes: [...ark.modes, 'speech'],
  operation(mode, target, wanted) {
    if (mode === 'speech') return isSpeechKey(target) ? speechOf(target) : undefined
    return isSpeechKey(target) ? undefined : ark.operation(mode, target, wanted)
  },
  tasks: { video: (model) => (isVideoModel(model) ? seedance : undefined) },
}

function isBot({ upstreamModel }: Target): boolean {
  return upstreamModel.startsWith('bot')
}

/** Also endpoints of the account's own, whose names say nothing. */
function isVideoModel(model: string): boolean {
  return /seedance|seaweed|^wan\d/.test(model) || model.startsWith('ep-')
}
