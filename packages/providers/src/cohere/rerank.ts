import { listOf, objectOf, rerankCodec } from '@tollgate/formats'

/** Its units count searches, not tokens. https://docs.cohere.com/reference/rerank */
export const cohereRerank = rerankCodec({
  encodeRequest({ query, texts, topN, vendor }, { model }) {
    const { max_tokens_per_doc, ...others } = vendor
    const body = {
      model,
      query,
      documents: texts,
      ...(topN !== undefined && { top_n: topN }),
      ...(typeof max_tokens_per_doc === 'number' && { max_tokens_per_doc }),
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
