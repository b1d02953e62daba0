import {
  type EmbeddingRequest,
  type EmbeddingVectors,
  embeddingCodec,
  type JsonObject,
  listOf,
  type ModeCodec,
  numberOf,
  objectOf,
  rerankCodec,
  textOf,
} from '@tollgate/formats'
import { chatOperation, defineProvider, type ProviderShape, plainOperation } from '../../define-provider.ts'
import { versionedUrl } from '../../endpoint-url.ts'
import { textInputs, vectorsOf } from '../../modes/embeddings.ts'
import type { ChannelTarget, Operation } from '../../provider.ts'
import type { ProviderOptions } from '../../provider-options.ts'
import { cohereChat, decodeError } from './decode.ts'

const maxTexts = 96
const defaultInputType = 'search_document'

/** https://docs.cohere.com/reference/embed */
const cohereEmbed = embeddingCodec({
  encodeRequest(request, { model }) {
    const { vendor, user } = request
    const { dropped, ...own } = ownFields(request)
    const body = {
      model,
      texts: textInputs(request, maxTexts),
      input_type: textOf(vendor.input_type) || defaultInputType,
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

/** Older models respond with a bare list of vectors. */
function readEmbeddings(body: unknown): EmbeddingVectors | undefined {
  const { embeddings } = objectOf(body)
  return vectorsOf(listOf(Array.isArray(embeddings) ? embeddings : objectOf(embeddings).float))
}

/** Its units count searches, not tokens. https://docs.cohere.com/reference/rerank */
const cohereRerank = rerankCodec({
  encodeRequest({ query, texts, topN, vendor }, { model }) {
    const { max_tokens_per_doc, ...others } = vendor
    const body = {
      model,
      query,
      documents: texts,
      ...(topN !== undefined && { top_n: topN }),
      ...(numberOf(max_tokens_per_doc) !== undefined && { max_tokens_per_doc }),
    }
    return { body, dropped: Object.keys(others) }
  },
  decodeResponse(response, { texts }) {
    const { results } = objectOf(response.json)
    if (!Array.isArray(results)) return undefined
    const scored = listOf(results).map(objectOf)
    const known = scored.flatMap(({ index, relevance_score }) =>
      typeof index === 'number' && index in texts && typeof relevance_score === 'number'
        ? [{ index, score: relevance_score }]
        : [],
    )
    return known.length === scored.length ? { results: known, usage: undefined } : undefined
  },
})

function chatWith(safety: string): Operation {
  return chatOperation({
    codec: cohereChat(safety),
    endpoint: (target, { stream }) => ({
      url: addressOf(target, '/v2', '/chat'),
      headers: { accept: stream ? 'text/event-stream' : 'application/json' },
    }),
  })
}

/** A mode other than chat, in Cohere's format. */
function modeOperation(mode: string, path: string, plain: ModeCodec): Operation {
  return plainOperation({
    format: `provider:cohere-${mode}`,
    plain,
    endpoint: (target) => ({
      url: addressOf(target, '/v2', path),
      headers: { accept: 'application/json' },
    }),
    decodeError,
  })
}

/**
 * https://docs.cohere.com/reference/about
 */
export function cohere({ COHERE_SAFETY_SETTING: safety }: ProviderOptions): ProviderShape {
  return defineProvider({
    operations: {
      chat: chatWith(safety),
      embeddings: modeOperation('embeddings', '/embed', cohereEmbed),
      rerank: modeOperation('rerank', '/rerank', cohereRerank),
    },
    models: {
      endpoint: (target) => ({ url: addressOf(target, '/v1', '/models?page_size=1000'), headers: {} }),
      decode: (body) => [...new Set(listOf(objectOf(body).models).flatMap(servedName))],
    },
    decodeError,
  })
}

/** Each endpoint sets its own latest version, in place of a version in the operator's address. */
function addressOf({ baseUrl }: ChannelTarget, version: string, path: string): string {
  return versionedUrl(
    baseUrl
      .trim()
      .replace(/\/+$/, '')
      .replace(/\/v\d+$/, ''),
    version,
    path,
  )
}

const served: ReadonlySet<unknown> = new Set(['chat', 'embed', 'rerank'])

/** Models that only classify or summarise are not asked for through us. */
function servedName(model: unknown): readonly string[] {
  const { name, endpoints } = objectOf(model)
  const requested = listOf(endpoints)
  const isServed = requested.length === 0 || requested.some((endpoint) => served.has(endpoint))
  return textOf(name) !== '' && isServed ? [textOf(name)] : []
}
