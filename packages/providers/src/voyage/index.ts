import {
  isObject,
  listOf,
  objectOf,
  type RequestQuirks,
  type RerankResult,
  readUsage,
  rerankCodec,
} from '@tollgate/formats'
import { openAiCompatible } from '../openai-compatible.ts'
import { mergedEdits, noEdits, removed, renamed } from '../quirks.ts'

/** Vectors are floats unless base64 is asked for; their length has a name of its own. */
const quirks: RequestQuirks = (request) =>
  mergedEdits(
    request.body.encoding_format === 'float' ? removed(request, ['encoding_format']) : noEdits,
    renamed(request, 'dimensions', 'output_dimension'),
    removed(request, ['user']),
  )

/** https://docs.voyageai.com/reference/reranker-api */
const rerank = rerankCodec({
  encodeRequest: ({ query, texts, topN, vendor }, { model }) => ({
    body: { model, query, documents: texts, top_k: topN, ...vendor },
    dropped: [],
  }),
  decodeResponse({ json }) {
    const { data, usage } = objectOf(json)
    if (!Array.isArray(data)) return undefined
    const { total_tokens } = objectOf(usage)
    return {
      results: listOf(data).filter(isResult).map(resultOf),
      usage: readUsage({ prompt_tokens: total_tokens }),
    }
  },
})

interface WireResult {
  readonly index: number
  readonly relevance_score: number
}

function isResult(item: unknown): item is WireResult {
  return isObject(item) && typeof item.index === 'number' && typeof item.relevance_score === 'number'
}

function resultOf({ index, relevance_score: score }: WireResult): RerankResult {
  return { index, score }
}

/** https://docs.voyageai.com/reference/embeddings-api */
export const voyage = openAiCompatible({
  id: 'voyage',
  defaultBaseUrl: 'https://api.voyageai.com',
  modes: ['embeddings', 'rerank'],
  streamOptions: false,
  models: false,
  quirks,
  own: { rerank },
})
