import { flattenContent, openAiChat } from '@tollgate/formats'
import { mistralFields } from '../mistral-fields.ts'
import type { Operation } from '../provider.ts'
import { modelUrl, projectUrl } from './address.ts'
import { decodeError } from './error.ts'

/** Llama, DeepSeek, Qwen and others, by OpenAI's format. https://cloud.google.com/vertex-ai/generative-ai/docs/maas/call-open-model-apis */
export const openModels: Operation = {
  format: 'openai-chat',
  codec: openAiChat,
  framing: 'sse',
  streamOptions: true,
  endpoint: (target) => ({ url: projectUrl(target, '/endpoints/openapi/chat/completions'), headers: {} }),
  decodeError,
}

/** Mistral's models in Mistral's format, which is OpenAI's. https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/mistral */
export const mistral: Operation = {
  format: 'openai-chat',
  codec: openAiChat,
  framing: 'sse',
  streamOptions: false,
  quirks: mistralFields,
  normalizeResponse: flattenContent,
  endpoint: (target, { stream }) => {
    const verb = stream ? 'streamRawPredict' : 'rawPredict'
    return { url: modelUrl(target, 'mistralai', target.upstreamModel, verb), headers: {} }
  },
  decodeError,
}
