import { namesIn, openAiCompatible } from '../openai-compatible.ts'
import type { ChannelTarget, Provider } from '../provider.ts'

const defaultBaseUrl = 'http://localhost:11434'

const compatible = openAiCompatible({
  id: 'ollama',
  defaultBaseUrl,
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
  mediaBytes: 'always',
  responses: { path: '/responses' },
})

/** Its OpenAI surface takes chat unchanged; models are listed by its own. https://github.com/ollama/ollama/blob/main/docs/openai.md */
export const ollama: Provider = {
  ...compatible,
  models: { endpoint: tagsOf, decode: (body) => namesIn(body, 'models', 'name') },
}

/** A base that names a version means the OpenAI surface, beside which its own one lives. */
function tagsOf({ baseUrl }: ChannelTarget) {
  const base = (baseUrl || defaultBaseUrl).trim().replace(/\/+$/, '')
  return { url: `${base.replace(/\/v1$/, '')}/api/tags`, headers: {} }
}
