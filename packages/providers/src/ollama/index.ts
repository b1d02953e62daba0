import { namesIn, openAiCompatible } from '../openai-compatible.ts'
import type { ChannelTarget, Operation, Provider } from '../provider.ts'
import { ollamaEmbeddings } from './embeddings.ts'

const defaultBaseUrl = 'http://localhost:11434'

const compatible = openAiCompatible({
  id: 'ollama',
  defaultBaseUrl,
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
  mediaBytes: 'always',
  responses: { path: '/responses' },
})

const embed: Operation = {
  format: 'provider:ollama-embeddings',
  plain: ollamaEmbeddings,
  framing: 'ndjson',
  streamOptions: false,
  endpoint: ownSurface('/api/embed'),
  decodeError: compatible.decodeError,
}

/**
 * Its OpenAI surface takes chat unchanged; vectors and models are asked of its own, which every version has.
 * https://github.com/ollama/ollama/blob/main/docs/openai.md
 */
export const ollama: Provider = {
  ...compatible,
  operation: (mode, target, wanted) =>
    mode === 'embeddings' ? embed : compatible.operation(mode, target, wanted),
  models: { endpoint: ownSurface('/api/tags'), decode: (body) => namesIn(body, 'models', 'name') },
}

/** A base that names a version means the OpenAI surface, beside which its own one lives. */
function ownSurface(path: string) {
  return ({ baseUrl }: ChannelTarget) => {
    const base = (baseUrl || defaultBaseUrl).trim().replace(/\/+$/, '')
    return { url: `${base.replace(/\/v1$/, '')}${path}`, headers: {} }
  }
}
