import {
  countOf,
  type EmbeddingRequest,
  type EmbeddingResponse,
  embeddingCodec,
  listOf,
  objectOf,
  textOf,
  usageOf,
} from '@tollgate/formats'
import { plainOperation } from '../../define-provider.ts'
import { textInputs, vectorOf, vectorsOf } from '../../modes/embeddings.ts'
import { decodeError } from './credential.ts'
import { modelUrl } from './endpoint.ts'

/** Texts that one call takes. https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings */
const mostTexts = 250

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
  const texts = textInputs(request, model.startsWith('gemini-embedding') ? 1 : mostTexts)
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

function readPredictions(body: unknown): EmbeddingResponse | undefined {
  const found = listOf(objectOf(body).predictions).map((prediction) =>
    objectOf(objectOf(prediction).embeddings),
  )
  const vectors = vectorsOf(found.map(({ values }) => values))
  if (vectors === undefined) return undefined
  const counts = found.map(({ statistics }) => countOf(objectOf(statistics).token_count) ?? 0)
  return { vectors, usage: tokens(counts.reduce((sum, count) => sum + count, 0)) }
}

function readContent(body: unknown): EmbeddingResponse | undefined {
  const { embedding, usageMetadata } = objectOf(body)
  const vector = vectorOf(objectOf(embedding).values)
  if (vector === undefined) return undefined
  return { vectors: [vector], usage: tokens(countOf(objectOf(usageMetadata).promptTokenCount) ?? 0) }
}

/** A text has at least one token: 0 means that the upstream did not count. */
function tokens(count: number) {
  return count === 0 ? undefined : usageOf({ inputTokens: count })
}
