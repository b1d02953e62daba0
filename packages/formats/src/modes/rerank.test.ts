import { describe, expect, it } from 'bun:test'
import { usageOf } from '../usage.ts'
import { encodeRerankV2 } from './rerank.ts'

const written = (body: unknown, documents = 1, charged = usageOf({})) =>
  JSON.parse(
    encodeRerankV2(body, {
      request: { documents: Array.from({ length: documents }, () => 'a') },
      charged,
      responseId: 'r1',
    }),
  )

describe('a rerank in the second version of Cohere’s form', () => {
  const results = [{ index: 1, relevance_score: 0.9, document: { text: 'b' } }]

  it('has its id, its results without documents, and its counts', () => {
    expect(written({ results }, 101, usageOf({ inputTokens: 7 }))).toEqual({
      id: 'r1',
      results: [{ index: 1, relevance_score: 0.9 }],
      meta: {
        api_version: { version: '2' },
        billed_units: { search_units: 2 },
        tokens: { input_tokens: 7, output_tokens: 0 },
      },
    })
  })

  it('keeps what the upstream says of itself', () => {
    const meta = { api_version: { version: '1' }, billed_units: { search_units: 3 } }
    expect(written({ id: 'own', results, meta })).toMatchObject({
      id: 'own',
      meta: { api_version: { version: '2' }, billed_units: { search_units: 3 } },
    })
  })

  it('has no results of a body without any', () => {
    for (const body of [null, 'x', {}, { results: 'x' }]) expect(written(body).results).toEqual([])
  })
})
