import {
  type EmbeddingInput,
  embeddingCodec,
  listOf,
  objectOf,
  RequestFault,
  textOf,
} from '@tollgate/formats'

/** Always as a batch, which has no usage. https://ai.google.dev/api/embeddings */
export const geminiEmbeddings = embeddingCodec({
  encodeRequest({ inputs, dimensions, user, vendor }, { model }) {
    const { task_type, title, ...others } = vendor
    const requests = inputs.map((input) => ({
      model: `models/${model.replace(/^models\//, '')}`,
      content: { parts: [{ text: textIn(input) }] },
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      ...(typeof task_type === 'string' && { taskType: task_type }),
      ...(typeof title === 'string' && { title }),
    }))
    return { body: { requests }, dropped: [...Object.keys(others), ...(user === '' ? [] : ['user'])] }
  },
  decodeResponse({ json }, { inputs }) {
    const { embeddings } = objectOf(json)
    const vectors = listOf(embeddings).map((item) => listOf(objectOf(item).values))
    if (vectors.length !== inputs.length || !vectors.every(isVector)) return undefined
    return { vectors, usage: undefined }
  },
})

function isVector(values: readonly unknown[]): values is readonly number[] {
  return values.length > 0 && values.every((value) => typeof value === 'number')
}

function textIn(input: EmbeddingInput): string {
  if (typeof input === 'string') return input
  const text = textOf(objectOf(input).text)
  if (text !== '') return text
  throw new RequestFault(
    'input is not supported: the model is served by an upstream that takes texts, and no token numbers',
    'input',
    'unsupported_parameter',
  )
}
