import {
  isObject,
  listOf,
  type ModeCodec,
  type RerankResult,
  rerankCodec,
  rerankUsage,
} from '@tollgate/formats'

/**
 * Rerank by upstreams that take Jina's request and answer it in a dialect of theirs: documents as bare texts, or counts
 * elsewhere. Callers get Jina's form.
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

/** The results under `results`; `undefined` for an answer that has none, or one that says no place or no number. */
export function rerankResults(body: unknown, score: string): readonly RerankResult[] | undefined {
  if (!isObject(body) || !Array.isArray(body.results)) return undefined
  const results = listOf(body.results).flatMap((item) => {
    const index = isObject(item) ? item.index : undefined
    const value = isObject(item) ? item[score] : undefined
    return typeof index === 'number' && typeof value === 'number' ? [{ index, score: value }] : []
  })
  return results.length === body.results.length ? results : undefined
}
