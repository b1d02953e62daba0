import { expect, it } from 'bun:test'
import { usageOf, WireResponse } from '@tollgate/formats'
import { sentBody } from '../test-support/sent-body.ts'
import { voyageRerank } from './rerank.ts'

it('asks Voyage in its own words, and answers in everybody’s', () => {
  const body = { model: 'm', input: 'a', encoding_format: 'float', dimensions: 256, user: 'u' }
  expect(sentBody('voyage', body)).toEqual({ model: 'm', input: 'a', output_dimension: 256 })
  const plain = voyageRerank
  const requested = { model: 'm', query: 'q', documents: ['a', { text: 'b' }], top_n: 1 }
  expect(plain.encodeRequest(requested, { model: 'rerank-2', streamOptions: false }).body).toEqual({
    model: 'rerank-2',
    query: 'q',
    documents: ['a', 'b'],
    top_k: 1,
  })
  const response = { data: [{ index: 1, relevance_score: 0.9 }], usage: { total_tokens: 7 } }
  const wire = (value: unknown) =>
    new WireResponse(new Uint8Array(Buffer.from(JSON.stringify(value))), 'application/json')
  const call = { body: requested, model: 'm', responseId: 'x', createdAt: 1 }
  const reading = plain.decodeResponse(wire(response), call)
  expect(reading?.usage).toEqual(usageOf({ inputTokens: 7 }))
  expect(JSON.parse(String(reading?.encode(usageOf({ inputTokens: 7 }))))).toMatchObject({
    results: [{ index: 1, relevance_score: 0.9 }],
  })
  expect(plain.decodeResponse(wire({ detail: 'no' }), call)).toBeUndefined()
})
