import type { ModeCodec } from '@tollgate/formats'
import { geminiImages } from '../gemini-images.ts'
import { geminiSpeech } from '../gemini-speech.ts'
import type { Operation } from '../provider.ts'
import { modelUrl } from './address.ts'
import { decodeError } from './error.ts'

/** Gemini draws and speaks as an answer to a prompt. */
function generated(mode: string, plain: ModeCodec): Operation {
  return {
    format: `provider:vertex-gemini-${mode}`,
    plain,
    framing: 'sse',
    streamOptions: false,
    endpoint: (target) => ({
      url: modelUrl(target, 'google', target.upstreamModel, 'generateContent'),
      headers: {},
    }),
    decodeError,
  }
}

export const geminiPictures = generated('images', geminiImages)
export const speech = generated('speech', geminiSpeech)
