import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import { costOf } from './charge.ts'
import { type CostSettings, findCost } from './cost-table.ts'
import { usage } from './test-support/prices.ts'

const million = 1_000_000

function costing(ModelCost: CostSettings['ModelCost']): CostSettings {
  return { ...defaults, ModelCost }
}

/** Quota units of so many million tokens: 500,000 are a dollar. */
function costOfTokens(
  settings: CostSettings,
  model: string,
  factor: number,
  tokens: Parameters<typeof usage>[0],
) {
  const cost = findCost(settings, model, factor)
  return cost && costOf(usage(tokens), cost.price)
}

describe('the cost of a model', () => {
  it.each([
    // USD per million tokens: input, from a cache, output.
    ['gpt-4o', 2.5, 1.25, 10],
    ['gpt-4o-2024-08-06', 2.5, 1.25, 10],
    ['openai/gpt-4o', 2.5, 1.25, 10],
    ['claude-opus-5-5', 4, 0.2, 20],
    ['claude-opus-5-5-thinking', 4, 0.2, 20],
  ])('is the list price of its vendor: %s', (model, input, cached, output) => {
    const settings = costing({})
    expect(findCost(settings, model, 1)?.source).toBe('list')
    expect(costOfTokens(settings, model, 1, { inputTokens: million })).toBe(input * 500_000)
    expect(costOfTokens(settings, model, 1, { cacheReadTokens: million })).toBe(cached * 500_000)
    expect(costOfTokens(settings, model, 1, { outputTokens: million })).toBe(output * 500_000)
  })

  it('does not follow what callers are charged', () => {
    const settings = { ...costing({}), ModelRatio: { 'gpt-4o': 100 }, ModelPrice: {}, GroupRatio: { '': 9 } }
    expect(costOfTokens(settings, 'gpt-4o', 1, { inputTokens: million })).toBe(1_250_000)
  })

  it('is the factor of its channel times the list price, to the unit', () => {
    expect(costOfTokens(costing({}), 'gpt-4o', 0.7, { inputTokens: million })).toBe(875_000)
    expect(costOfTokens(costing({}), 'gpt-4o', 0.7, { inputTokens: 10, outputTokens: 1 })).toBe(12)
    expect(costOfTokens(costing({}), 'gpt-4o', 0, { inputTokens: million })).toBe(0)
  })

  it('is what the operator says, with the ratios of the vendor where the operator names none', () => {
    const settings = costing({ 'gpt-4o': { model_ratio: 1, cache_ratio: 0 }, 'my-own': { model_ratio: 0.5 } })
    expect(findCost(settings, 'gpt-4o', 1)?.source).toBe('option')
    expect(costOfTokens(settings, 'gpt-4o', 1, { inputTokens: 100, outputTokens: 10 })).toBe(140)
    expect(costOfTokens(settings, 'gpt-4o', 1, { cacheReadTokens: million })).toBe(0)
    expect(costOfTokens(settings, 'my-own', 2, { inputTokens: 100 })).toBe(100)
  })

  it('can be per call where the vendor lists one per token, and the other way round', () => {
    const settings = costing({ 'gpt-4o': { model_price: 0.01 }, 'dall-e-3': { model_ratio: 2 } })
    expect(costOfTokens(settings, 'gpt-4o', 0.5, { inputTokens: million })).toBe(2500)
    expect(costOfTokens(settings, 'dall-e-3', 1, { inputTokens: 100 })).toBe(200)
  })

  it('counts tools, tiers and long prompts as the vendor does', () => {
    const { price } = findCost(costing({}), 'gpt-5', 0.5) ?? {}
    expect(price?.terms).toMatchObject({ kind: 'per-token', groupRatio: 0.5, quotaPerUnit: 500_000 })
    expect(price?.terms.kind === 'per-token' && price.terms.tiers?.flex).toBe(0.5)
  })

  it('may come to nothing, where a charge would be one unit', () => {
    expect(costOfTokens(costing({}), 'text-embedding-3-small', 1, { inputTokens: 10 })).toBe(0)
  })

  it('is unknown where neither the table nor the operator has one, and never guessed', () => {
    const settings = { ...costing({}), SelfUseModeEnabled: true, ModelRatio: { 'my-own': 3 } }
    for (const model of ['my-own', 'gpt-4o-but-not-really', 'constructor', ''])
      expect(findCost(settings, model, 1)).toBeUndefined()
  })
})
