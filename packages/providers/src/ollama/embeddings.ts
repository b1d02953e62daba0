import {
  countOf,
  embeddingCodec,
  listOf,
  type ModeCodec,
  objectOf,
  RequestFault,
  type Usage,
  usageOf,
} from '@tollgate/formats'

/** `/api/embed`: a vector for each text. https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embeddings */
export const ollamaEmbeddings: ModeCodec = embeddingCodec({
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
    return vectors.length === inputs.length && vectors.every(isVector)
      ? { vectors, usage: usageIn(json) }
      : undefined
  },
})

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number')
}

/** Nothing where the prompt came from its cache. */
function usageIn(response: unknown): Usage | undefined {
  const inputTokens = countOf(objectOf(response).prompt_eval_count)
  return inputTokens === undefined || inputTokens === 0 ? undefined : usageOf({ inputTokens })
}
