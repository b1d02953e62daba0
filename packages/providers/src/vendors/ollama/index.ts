import { embeddingCodec, listOf, type ModeCodec, objectOf, RequestFault } from '@tollgate/formats'
import { type ProviderShape, plainOperation } from '../../define-provider.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import type { ChannelTarget } from '../../provider.ts'
import { namesIn } from '../../queries/model-lists.ts'

/** `/api/embed`: a vector for each text. https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embeddings */
const ollamaEmbeddings: ModeCodec = embeddingCodec({
  encodeRequest({ inputs, dimensions, user, vendor }, { model }) {
    if (!inputs.every((input) => typeof input === 'string'))
      throw new RequestFault(
        'input is not supported: Ollama takes texts only',
        'input',
        'unsupported_parameter',
      )
    const { truncate, options, keep_alive: keepAlive, ...others } = vendor
    const own = { dimensions, truncate, options, keep_alive: keepAlive }
    const dropped = [...(user === '' ? [] : ['user']), ...Object.keys(others)]
    return { body: { model, input: inputs, ...own }, dropped }
  },
  decodeResponse({ json }, { inputs }) {
    const vectors = listOf(objectOf(json).embeddings)
    return vectors.length === inputs.length && vectors.every(isVector) ? vectors : undefined
  },
})

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number')
}

const compatible = openAiCompatible({
  id: 'ollama',
  serves: ['chat', 'completions', 'embeddings'],
  mediaBytes: 'always',
  also: ['responses'],
})

const embed = plainOperation({
  format: 'provider:ollama-embeddings',
  plain: ollamaEmbeddings,
  framing: 'ndjson',
  endpoint: ownSurface('/api/embed'),
  decodeError: compatible.decodeError,
})

/**
 * Its OpenAI surface takes chat unchanged; vectors and models are asked of its own, which every version has.
 * https://github.com/ollama/ollama/blob/main/docs/openai.md
 */
export const ollama: ProviderShape = {
  ...compatible,
  operation: (mode, target, wanted) =>
    mode === 'embeddings' ? embed : compatible.operation(mode, target, wanted),
  models: { endpoint: ownSurface('/api/tags'), decode: (body) => namesIn(body, 'models', 'name') },
}

/** A base that names a version means the OpenAI surface, beside which its own one lives. */
function ownSurface(path: string) {
  return ({ baseUrl }: ChannelTarget) => {
    const base = baseUrl.trim().replace(/\/+$/, '')
    return { url: `${base.replace(/\/v1$/, '')}${path}`, headers: {} }
  }
}
