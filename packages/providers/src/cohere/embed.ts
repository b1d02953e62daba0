import {
  type EmbeddingRequest,
  type EmbeddingResponse,
  embeddingCodec,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
} from '@tollgate/formats'
import { textInputs, vectorsOf } from '../embedding-inputs.ts'
import { readUsage } from './chat/usage.ts'

const mostTexts = 96
const usualInputType = 'search_document'

/** https://docs.cohere.com/reference/embed */
export const cohereEmbed = embeddingCodec({
  encodeRequest(request, { model }) {
    const { vendor, user } = request
    const { dropped, ...own } = ownFields(request)
    const body = {
      model,
      texts: textInputs(request, mostTexts),
      input_type: textOf(vendor.input_type) || usualInputType,
      embedding_types: ['float'],
      ...own,
    }
    return { body, dropped: [...dropped, ...(user === '' ? [] : ['user'])] }
  },
  decodeResponse: (response) => readEmbeddings(response.json),
})

function ownFields({
  dimensions,
  vendor,
}: EmbeddingRequest): JsonObject & { readonly dropped: readonly string[] } {
  const { input_type: _, truncate, ...others } = vendor
  return {
    ...(dimensions !== undefined && { output_dimension: dimensions }),
    ...(typeof truncate === 'string' && { truncate }),
    dropped: Object.keys(others),
  }
}

/** Older models answer with a bare list of vectors. */
function readEmbeddings(body: unknown): EmbeddingResponse | undefined {
  const { embeddings, meta } = objectOf(body)
  const vectors = vectorsOf(listOf(Array.isArray(embeddings) ? embeddings : objectOf(embeddings).float))
  return vectors === undefined ? undefined : { vectors, usage: readUsage(meta) }
}
