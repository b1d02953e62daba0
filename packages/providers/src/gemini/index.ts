import { gemini as geminiCodec, type JsonEdits, type RequestText, spliceMembers } from '@tollgate/formats'
import { fillModel } from '../endpoint-url.ts'
import { namesIn } from '../openai-compatible.ts'
import { nextByToken } from '../paging.ts'
import type { Operation, Provider } from '../provider.ts'
import { isVeo } from '../veo.ts'
import { addressOf, defaultBaseUrl, resourceOf } from './address.ts'
import { modeOperation } from './modes.ts'
import { geminiVideo } from './video.ts'

const generate: Operation = {
  format: 'gemini',
  codec: geminiCodec,
  framing: 'sse',
  streamOptions: false,
  mediaBytes: 'translated',
  endpoint: (target, { stream, options }) => {
    const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    const path = fillModel(`/{model}:${method}`, resourceOf(target.upstreamModel))
    return { url: addressOf(target, path, target.upstreamModel, options), headers: {} }
  },
  decodeError: geminiCodec.decodeError,
}

/**
 * The count takes contents alone, or a whole request inside of `generateContentRequest`.
 * https://ai.google.dev/api/tokens#method:-models.counttokens
 */
const countTokens: Operation = {
  ...generate,
  quirks: bufferedRequest,
  endpoint: (target, { options }) => {
    const { upstreamModel } = target
    const path = fillModel('/{model}:countTokens', resourceOf(upstreamModel))
    return { url: addressOf(target, path, upstreamModel, options), headers: {} }
  },
}

/** Beside contents; the end of the model's name may have asked for the others. */
const uncounted: JsonEdits = new Map(['model', 'generationConfig', 'tools'].map((key) => [key, undefined]))

function bufferedRequest({ text, scan, body }: RequestText, model: string): JsonEdits {
  const others = Object.keys(body).filter((key) => key !== 'contents' && key !== 'model')
  if (others.length === 0) return uncounted
  const named = new Map([['model', JSON.stringify(resourceOf(model))]])
  return new Map<string, string | undefined>([
    ...uncounted,
    ...Object.keys(body).map((key): [string, undefined] => [key, undefined]),
    ['generateContentRequest', spliceMembers(text, scan, named)],
  ])
}

/** Gemini API. https://ai.google.dev/api */
export const gemini: Provider = {
  id: 'gemini',
  defaultBaseUrl,
  // In a header and not in the address: addresses end up in logs.
  credential: {
    kind: 'headers',
    headers: ({ key }) => (key === '' ? {} : { 'x-goog-api-key': key }),
  },
  modes: ['chat', 'embeddings', 'images', 'image-edits', 'speech'],
  operation: (mode, { upstreamModel }, wanted) =>
    mode === 'chat' ? generate : modeOperation(mode, upstreamModel, wanted),
  counting: () => countTokens,
  tasks: { video: (model) => (isVeo(model) ? geminiVideo : undefined) },
  models: {
    endpoint: (target) => ({ url: addressOf(target, '/models?pageSize=1000'), headers: {} }),
    decode: (body) => namesIn(body, 'models', 'name').map((name) => name.replace(/^models\//, '')),
    next: nextByToken,
  },
  decodeError: geminiCodec.decodeError,
}
