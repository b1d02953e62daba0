import { gemini as geminiCodec } from '@tollgate/formats'
import type { Operation } from '../provider.ts'
import { modelUrl } from './address.ts'
import { decodeError } from './error.ts'

/** Google's models. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
export const gemini: Operation = {
  format: 'gemini',
  codec: geminiCodec,
  framing: 'sse',
  streamOptions: false,
  mediaBytes: 'translated',
  endpoint: (target, { stream }) => {
    const id = target.upstreamModel.replace(/^models\//, '')
    const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    return { url: modelUrl(target, 'google', id, verb), headers: {} }
  },
  decodeError,
}
