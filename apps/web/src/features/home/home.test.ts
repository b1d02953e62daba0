import { describe, expect, it } from 'bun:test'
import { sampleModel } from './sample-model.ts'
import { leadingModels } from './served-models.ts'
import { snippetKinds, snippetOf } from './snippets.ts'

const row = (model_name: string, fields: object = {}) => ({
  model_name,
  available: true,
  quota_type: 0,
  model_ratio: 1,
  context_size: 128_000,
  max_output_tokens: 16_384,
  ...fields,
})
const unknown = { context_size: undefined, max_output_tokens: undefined }

describe('the model of the examples', () => {
  it('is one that can be called, has a price by tokens and talks', () => {
    const rows = [
      row('a-broken-one', { available: false, model_ratio: 0 }),
      row('dall-e-3', { quota_type: 1 }),
      row('text-embedding-3-small', { model_ratio: 0.01 }),
      row('whisper-1', { model_ratio: 0.1 }),
      row('house-model', { ...unknown, model_ratio: 0.1 }),
      row('gpt-4o', { model_ratio: 1.25 }),
      row('gpt-4o-mini', { model_ratio: 0.075 }),
    ]
    expect(sampleModel(rows)).toBe('gpt-4o-mini')
    expect(sampleModel(rows.slice(0, 5))).toBe('house-model')
    expect(sampleModel(rows.slice(0, 4))).toBeUndefined()
  })
})

describe('the examples', () => {
  it('name address and model, each in its own format', () => {
    for (const kind of snippetKinds) {
      const code = snippetOf(kind, 'https://gate.example', 'gpt-4o-mini')
      expect(code).toContain('https://gate.example/v1')
      expect(code).toContain('gpt-4o-mini')
    }
    expect(snippetOf('anthropic', 'https://gate.example', 'm')).toContain('gate.example/v1/messages')
    expect(snippetOf('gemini', 'https://gate.example', 'm')).toContain('/v1beta/models/m:generateContent')
  })
})

describe('the models of the first page', () => {
  it('are the newest of the table, the dearest of a day first, and then the others', () => {
    const rows = [
      row('house-model', { ...unknown, model_ratio: 500 }),
      row('former', { released: '2023-06-13', model_ratio: 30 }),
      row('small', { released: '2026-09-01', model_ratio: 0.1 }),
      row('large', { released: '2026-09-01', model_ratio: 5 }),
      row('undated', { model_ratio: 90 }),
    ].map((one) => ({ completion_ratio: 4, model_price: 0, ...one }))
    expect(leadingModels(rows, 4).map(({ model_name }) => model_name)).toEqual([
      'large',
      'small',
      'former',
      'undated',
    ])
  })
})
