import {
  type EmbeddingRequest,
  type EmbeddingVectors,
  embeddingCodec,
  listOf,
  objectOf,
  textOf,
} from '@tollgate/formats'
import { plainOperation } from '../../define-provider.ts'
import { textInputs, vectorOf, vectorsOf } from '../../modes/embeddings.ts'
import { decodeError } from './credential.ts'
import { modelUrl } from './endpoint.ts'

/** Texts that one call takes. https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings */
const maxTexts = 250

const codec = embeddingCodec({
  encodeRequest(request, { model }) {
    const { vendor, user } = request
    const { task_type, title: _, ...others } = vendor
    const dropped = [...Object.keys(others), ...(user === '' ? [] : ['user'])]
    const body = isEmbedContent(model) ? contentBody(request) : predictBody(request, model, textOf(task_type))
    return { body, dropped }
  },
  decodeResponse: (response) => readContent(response.json) ?? readPredictions(response.json),
})

/** Texts as vectors: by `predict`, and by `embedContent` for the newer models. */
export const embeddings = plainOperation({
  format: 'provider:vertex-embeddings',
  plain: codec,
  endpoint: (target) => {
    const { upstreamModel: model } = target
    return {
      url: modelUrl(target, 'google', model, isEmbedContent(model) ? 'embedContent' : 'predict'),
      headers: {},
    }
  },
  decodeError,
})

function isEmbedContent(model: string): boolean {
  return /^gemini-embedding-[2-9]/.test(model)
}

function predictBody(request: EmbeddingRequest, model: string, taskType: string) {
  const texts = textInputs(request, model.startsWith('gemini-embedding') ? 1 : maxTexts)
  const { dimensions } = request
  return {
    instances: texts.map((content) => ({ content, ...(taskType !== '' && { task_type: taskType }) })),
    ...(dimensions !== undefined && { parameters: { outputDimensionality: dimensions } }),
  }
}

function contentBody(request: EmbeddingRequest) {
  const [text = ''] = textInputs(request, 1)
  const { dimensions } = request
  return {
    content: { parts: [{ text }] },
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
  }
}

function readPredictions(body: unknown): EmbeddingVectors | undefined {
  return vectorsOf(
    listOf(objectOf(body).predictions).map((prediction) => objectOf(objectOf(prediction).embeddings).values),
  )
}

function readContent(body: unknown): EmbeddingVectors | undefined {
  const vector = vectorOf(objectOf(objectOf(body).embedding).values)
  return vector === undefined ? undefined : [vector]
}
