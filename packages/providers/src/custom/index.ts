import { fillModel } from '../endpoint-url.ts'
import { bearer, openAiCompatible } from '../openai-compatible.ts'
import type { Provider } from '../provider.ts'

const chatPath = /\/chat\/completions(?=$|\?)/

/** Any upstream that takes OpenAI's bodies at an address of its own: the base URL is the whole address. */
export const custom: Provider = {
  ...openAiCompatible({
    id: 'custom',
    defaultBaseUrl: '',
    modes: ['chat', 'completions', 'embeddings'],
    streamOptions: true,
  }),
  endpoint: (_mode, target) => ({
    url: fillModel(target.baseUrl.trim(), target.upstreamModel),
    headers: bearer(target),
  }),
  // Only an address that ends as OpenAI's does has a sibling that can be guessed.
  modelsEndpoint: (target) =>
    chatPath.test(target.baseUrl) && !target.baseUrl.includes('{model}')
      ? { url: target.baseUrl.trim().replace(chatPath, '/models'), headers: bearer(target) }
      : undefined,
}
