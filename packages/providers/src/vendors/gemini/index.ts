import { gemini as geminiCodec, type JsonEdits, type RequestText, spliceMembers } from '@tollgate/formats'
import { chatOperation, defineProvider } from '../../define-provider.ts'
import { fillModel } from '../../endpoint-url.ts'
import { isVeo } from '../../families/veo.ts'
import type { Operation } from '../../provider.ts'
import { namesIn, nextByToken } from '../../queries/model-lists.ts'
import { addressOf, resourceOf } from './endpoint.ts'
import { geminiVideo, modeOperations } from './modes.ts'

const generate = chatOperation({
  codec: geminiCodec,
  mediaBytes: 'translated',
  endpoint: (target, { stream, options }) => {
    const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    const path = fillModel(`/{model}:${method}`, resourceOf(target.upstreamModel))
    return { url: addressOf(target, path, target.upstreamModel, options), headers: {} }
  },
})

/**
 * The count takes contents alone, or a complete request inside `generateContentRequest`.
 * https://ai.google.dev/api/tokens#method:-models.counttokens
 */
const countTokens: Operation = {
  ...generate,
  quirks: countedRequest,
  endpoint: (target, { options }) => {
    const { upstreamModel } = target
    const path = fillModel('/{model}:countTokens', resourceOf(upstreamModel))
    return { url: addressOf(target, path, upstreamModel, options), headers: {} }
  },
}

/** Beside contents; the end of the model's name may have asked for the others. */
const uncounted: JsonEdits = new Map(['model', 'generationConfig', 'tools'].map((key) => [key, undefined]))

function countedRequest({ text, scan, body }: RequestText, model: string): JsonEdits {
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
export const gemini = defineProvider({
  // In a header and not in the address: addresses end up in logs.
  credential: {
    kind: 'headers',
    headers: ({ key }) => (key === '' ? {} : { 'x-goog-api-key': key }),
  },
  operations: { chat: generate, ...modeOperations },
  counting: () => countTokens,
  tasks: { video: (model) => (isVeo(model) ? geminiVideo : undefined) },
  models: {
    endpoint: (target) => ({ url: addressOf(target, '/models?pageSize=1000'), headers: {} }),
    decode: (body) => namesIn(body, 'models', 'name').map((name) => name.replace(/^models\//, '')),
    next: nextByToken,
  },
  decodeError: geminiCodec.decodeError,
})
