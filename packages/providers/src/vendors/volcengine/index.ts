import { imageCodec, isObject, objectOf, readMediaUsage } from '@tollgate/formats'
import type { ProviderShape } from '../../define-provider.ts'
import { seedance } from '../../families/seedance.ts'
import { droppedImageOptions, listedImages } from '../../modes/images.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import type { Target } from '../../provider.ts'
import { credentialOf, isSpeechKey, speechOf } from './speech.ts'

/**
 * Seedream: several images are a sequence. Its usage is of what it made alone.
 * https://www.volcengine.com/docs/82379/1541523
 */
const volcengineImages = imageCodec({
  encodeRequest(request, { model }) {
    const { prompt, n, size, responseFormat, images, vendor } = request
    return {
      body: {
        ...(n > 1 && {
          sequential_image_generation: 'auto',
          sequential_image_generation_options: { max_images: n },
        }),
        ...vendor,
        ...(images.length > 0 && { image: images.length === 1 ? images[0] : images }),
        model,
        prompt,
        ...(size !== '' && { size }),
        ...(responseFormat !== '' && { response_format: responseFormat }),
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    const { usage } = objectOf(json)
    const counted = isObject(usage) ? { input_tokens: 0, ...usage } : undefined
    return listedImages(json, readMediaUsage(counted, 'image'))
  },
})

/** Ark; a model that is a bot has its own address. https://www.volcengine.com/docs/82379/1298454 */
const ark = openAiCompatible({
  id: 'volcengine',
  root: '/api/v3',
  serves: ['chat', 'embeddings', 'images', 'image-edits'],
  plain: { images: volcengineImages, 'image-edits': volcengineImages },
  credential: credentialOf,
  responses: { serves: (target) => !isBot(target) },
  paths: (mode, target) => {
    if (mode === 'image-edits') return '/images/generations'
    return mode === 'chat' && isBot(target) ? '/bots/chat/completions' : undefined
  },
  codes: {
    InputTextSensitiveContentDetected: 'content_policy',
    InputImageSensitiveContentDetected: 'content_policy',
    OutputTextSensitiveContentDetected: 'content_policy',
    OutputImageSensitiveContentDetected: 'content_policy',
  },
})

/** A key of speech opens nothing else, and no other key opens it. */
export const volcengine: ProviderShape = {
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
