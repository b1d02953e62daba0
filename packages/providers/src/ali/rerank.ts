import { objectOf, rerankCodec, rerankUsage } from '@tollgate/formats'
import { rerankResults } from '../own-rerank.ts'

/** https://www.alibabacloud.com/help/en/model-studio/text-rerank-api */
export const aliRerank = rerankCodec({
  encodeRequest: ({ query, texts, topN, vendor }, { model }) => ({
    body: {
      model,
      input: { query, documents: texts },
      parameters: { ...vendor, ...(topN !== undefined && { top_n: topN }), return_documents: false },
    },
    dropped: [],
  }),
  decodeResponse({ json }) {
    const body = objectOf(json)
    const results = rerankResults(body.output, 'relevance_score')
    return results && { results, usage: rerankUsage(body) }
  },
})
