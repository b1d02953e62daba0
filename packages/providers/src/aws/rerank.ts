import { type JsonObject, listOf, objectOf, rerankCodec } from '@tollgate/formats'
import type { Operation } from '../provider.ts'
import { modelEndpoint } from './address.ts'
import { decodeError } from './error.ts'

/** By `InvokeModel`, which needs no ARN of the model. https://docs.aws.amazon.com/bedrock/latest/userguide/rerank-use.html */
export const rerank: Operation = {
  format: 'provider:aws-rerank',
  plain: rerankCodec({
    encodeRequest({ query, texts, topN, vendor }, { model }) {
      const isCohere = model.includes('cohere.')
      const body = {
        query,
        documents: texts,
        ...(topN !== undefined && { top_n: topN }),
        ...(isCohere && { api_version: 2 }),
      }
      return { body, dropped: Object.keys(vendor) }
    },
    decodeResponse(response, { texts }) {
      const { results } = objectOf(response.json)
      if (!Array.isArray(results)) return undefined
      const found = listOf(results).flatMap((result) => scoreOf(objectOf(result), texts.length))
      return found.length === results.length ? { results: found, usage: undefined } : undefined
    },
  }),
  framing: 'aws-event-stream',
  streamOptions: false,
  endpoint: (target) => modelEndpoint(target, 'invoke'),
  decodeError,
}

export function isReranker(model: string): boolean {
  return /\.rerank-/.test(model)
}

function scoreOf({ index, relevance_score }: JsonObject, count: number) {
  const known =
    typeof index === 'number' && index >= 0 && index < count && typeof relevance_score === 'number'
  return known ? [{ index, score: relevance_score }] : []
}
