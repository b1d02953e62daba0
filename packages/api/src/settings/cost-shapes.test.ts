import { describe, expect, it } from 'bun:test'
import { modelCosts } from './cost-shapes.ts'

describe('the costs of models', () => {
  it('are per token with ratios, or per call', () => {
    const costs = {
      'gpt-4o': { model_ratio: 1, completion_ratio: 4, cache_ratio: 0 },
      'dall-e-3': { model_price: 0.03 },
    }
    expect(modelCosts(costs)).toEqual({ ok: true, value: costs })
  })

  it.each([
    ['no cost', {}],
    ['ratios alone', { completion_ratio: 4 }],
    ['both kinds', { model_ratio: 1, model_price: 1 }],
    ['ratios of a cost per call', { model_price: 1, completion_ratio: 1 }],
    ['an unknown member', { model_ratio: 1, discount: 0.5 }],
    ['less than nothing', { model_ratio: -1 }],
    ['no number', { model_ratio: '1' }],
    ['a bare number', 1],
  ])('are refused with %s', (_, cost) => {
    expect(modelCosts({ m: cost })).toMatchObject({ ok: false, code: 'option_entry_model_cost' })
  })
})
