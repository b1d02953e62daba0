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
import { textInputs, vectorOf, vectorsOf } from '../embedding-inputs.ts'
import type { Operation } from '../provider.ts'
import { modelEndpoint } from './address.ts'
import { decodeError } from './error.ts'

/** Texts that a model of Cohere's takes at once; one of Amazon's takes one. */
const mostTexts = 96

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html, …/model-parameters-embed.html */
export const embeddings: Operation = {
  format: 'provider:aws-embeddings',
  plain: embeddingCodec({
    encodeRequest(request, { model }) {
      const body = isCohere(model) ? cohereBody(request, model) : titanBody(request, model)
      const known = isCohere(model) ? ['input_type', 'truncate'] : ['normalize']
      const lost = Object.keys(request.vendor).filter((name) => !known.includes(name))
      return { body, dropped: [...lost, ...(request.user === '' ? [] : ['user'])] }
    },
    decodeResponse: (response) => readTitan(response.json) ?? readCohere(response.json),
  }),
  framing: 'aws-event-stream',
  streamOptions: false,
  endpoint: (target) => modelEndpoint(target, 'invoke'),
  decodeError,
}

/** Models of texts as vectors, by their ids. */
export function isEmbedding(model: string): boolean {
  return /titan-embed-|cohere\.embed-/.test(model)
}

function isCohere(model: string): boolean {
  return model.includes('cohere.')
}

function titanBody(request: EmbeddingRequest, model: string) {
  const [inputText = ''] = textInputs(request, 1)
  // The first version has no other field.
  if (!model.includes('-v2')) return { inputText }
  const { dimensions, vendor } = request
  return {
    inputText,
    ...(dimensions !== undefined && { dimensions }),
    ...(typeof vendor.normalize === 'boolean' && { normalize: vendor.normalize }),
  }
}

function cohereBody(request: EmbeddingRequest, model: string) {
  const { dimensions, vendor } = request
  return {
    texts: textInputs(request, mostTexts),
    input_type: textOf(vendor.input_type) || 'search_document',
    embedding_types: ['float'],
    ...(textOf(vendor.truncate) !== '' && { truncate: vendor.truncate }),
    ...(dimensions !== undefined && model.includes('embed-v4') && { output_dimension: dimensions }),
  }
}

function readTitan(body: unknown): EmbeddingResponse | undefined {
  const { embedding, inputTextTokenCount } = objectOf(body)
  const vector = vectorOf(embedding)
  if (vector === undefined) return undefined
  const count = countOf(inputTextTokenCount) ?? 0
  return { vectors: [vector], usage: count === 0 ? undefined : usageOf({ inputTokens: count }) }
}

/** It counts nothing in its answer: what was sent is counted here. */
function readCohere(body: unknown): EmbeddingResponse | undefined {
  const { embeddings } = objectOf(body)
  const vectors = vectorsOf(listOf(Array.isArray(embeddings) ? embeddings : objectOf(embeddings).float))
  return vectors === undefined ? undefined : { vectors, usage: undefined }
}
