import {
  isObject,
  listOf,
  type ModeCodec,
  objectOf,
  type RerankResult,
  readUsage,
  rerankCodec,
  rerankUsage,
} from '@tollgate/formats'

/**
 * Rerank at upstreams that accept Jina's request and vary its response: documents as bare texts, or counts in another
 * field. Callers get Jina's response.
 */
export const jinaLikeRerank: ModeCodec = rerankCodec({
  encodeRequest: ({ query, texts, topN, returnDocuments, vendor }, { model }) => ({
    body: {
      ...vendor,
      model,
      query,
      documents: texts,
      ...(topN !== undefined && { top_n: topN }),
      return_documents: returnDocuments,
    },
    dropped: [],
  }),
  decodeResponse({ json }) {
    const results = rerankResults(json, 'relevance_score')
    return results && isObject(json) ? { results, usage: rerankUsage(json) } : undefined
  },
})

/** The results under `results`; `undefined` for a response without any, or with one that lacks its index or score. */
export function rerankResults(body: unknown, score: string): readonly RerankResult[] | undefined {
  if (!isObject(body) || !Array.isArray(body.results)) return undefined
  const results = listOf(body.results).flatMap((item) => {
    const index = isObject(item) ? item.index : undefined
    const value = isObject(item) ? item[score] : undefined
    return typeof index === 'number' && typeof value === 'number' ? [{ index, score: value }] : []
  })
  return results.length === body.results.length ? results : undefined
}

/** https://docs.voyageai.com/reference/reranker-api */
export const voyageRerank = rerankCodec({
  encodeRequest: ({ query, texts, topN, vendor }, { model }) => ({
    body: { model, query, documents: texts, top_k: topN, ...vendor },
    dropped: [],
  }),
  decodeResponse({ json }) {
    const { data, usage } = objectOf(json)
    if (!Array.isArray(data)) return undefined
    const { total_tokens } = objectOf(usage)
    return {
      results: listOf(data).filter(isVoyageResult).map(voyageResultOf),
      usage: readUsage({ prompt_tokens: total_tokens }),
    }
  },
})

interface VoyageResult {
  readonly index: number
  readonly relevance_score: number
}

function isVoyageResult(item: unknown): item is VoyageResult {
  return isObject(item) && typeof item.index === 'number' && typeof item.relevance_score === 'number'
}

function voyageResultOf({ index, relevance_score: score }: VoyageResult): RerankResult {
  return { index, score }
}
