import { describe, expect, it } from 'bun:test'
import { pricedTiers, pricedTools } from '@tollgate/api'
import { defaults } from '@tollgate/api/settings'
import { addUsage, type CostlyField, serviceTiers, toolKinds, usageOf } from '@tollgate/formats'
import { costOf, estimateOf } from '../charge.ts'
import { findPrice, modelEntry, modelMembers } from '../price-table.ts'
import { perToken, usage } from '../test-support/prices.ts'
import { pricedFields } from './priced-fields.ts'

const steps = [
  { above: 1000, input: 2, output: 1.5 },
  { above: 5000, input: 3, output: 3, cached: 1 },
]
const price = perToken({
  modelRatio: 1,
  completionRatio: 2,
  cacheReadRatio: 0.5,
  steps,
  tiers: { flex: 0.5, priority: 2, fast: 6, us: 1.1 },
  tools: { web_search: 10, file_search: 2.5 },
  quotaPerUnit: 500_000,
})

describe('the price of a served call', () => {
  it('is that of the last step that the prompt is beyond, for all of its tokens', () => {
    expect(costOf(usage({ inputTokens: 1000, outputTokens: 10 }), price)).toBe(1000 + 20)
    expect(costOf(usage({ inputTokens: 1001, outputTokens: 10 }), price)).toBe(2002 + 30)
    expect(costOf(usage({ inputTokens: 5001, outputTokens: 10 }), price)).toBe(15_003 + 60)
  })

  it('is that of each of several calls, however long they are together', () => {
    const summed = [400, 900, 800].map((inputTokens) => usageOf({ inputTokens })).reduce(addUsage)
    expect(costOf(summed, price)).toBe(2100)
    expect(costOf(addUsage(summed, usageOf({ inputTokens: 1500 })), price)).toBe(7200)
  })

  it('counts cached tokens to the length of the prompt, at what the step makes of them', () => {
    expect(costOf(usage({ inputTokens: 1, cacheReadTokens: 1000 }), price)).toBe(2 + 1000)
    expect(costOf(usage({ inputTokens: 1, cacheReadTokens: 6000 }), price)).toBe(3 + 3000)
  })

  it('is multiplied by what the response names, and unchanged by what has no price', () => {
    const counted = usage({ inputTokens: 100, outputTokens: 10 })
    const served = (service: object) => costOf({ ...counted, service }, price)
    expect(served({ tier: 'standard' })).toBe(120)
    expect(served({ tier: 'flex' })).toBe(60)
    expect(served({ tier: 'priority', geo: 'us' })).toBe(264)
    expect(served({ tier: 'standard', speed: 'fast' })).toBe(720)
    expect(served({ tier: 'scale' })).toBe(120)
  })

  it('has the fees of tools beside the tokens, whatever the tier makes of those, and rounds once', () => {
    const searched = usage({ inputTokens: 100, toolCalls: { web_search: 2, file_search: 1, x_search: 9 } })
    expect(costOf(searched, price)).toBe(100 + 10_000 + 1250)
    expect(costOf({ ...searched, service: { tier: 'priority' } }, price)).toBe(200 + 11_250)
    const cheap = perToken({
      modelRatio: 0.3,
      tools: { web_search: 0.0004 },
      quotaPerUnit: 1_000_000,
      groupRatio: 1,
    })
    expect(costOf(usage({ inputTokens: 1, toolCalls: { web_search: 1 } }), cheap)).toBe(1)
    expect(costOf(usage({ toolCalls: { web_search: 3 } }), price)).toBe(15_000)
  })

  it('is multiplied by the ratio of the group, tools included', () => {
    const vip = perToken({ modelRatio: 1, tools: { web_search: 10 }, quotaPerUnit: 500_000, groupRatio: 0.5 })
    expect(costOf(usage({ inputTokens: 100, toolCalls: { web_search: 1 } }), vip)).toBe(50 + 2500)
  })
})

describe('a reservation', () => {
  const size = { promptTokens: 900, maxOutputTokens: 100 }

  it('is for the dearest of what the call may come to', () => {
    const standard = estimateOf(size, price, 0)
    expect(estimateOf({ ...size, service: { tier: 'priority' } }, price, 0)).toBe(standard * 2)
    expect(estimateOf({ ...size, service: { tier: 'flex' } }, price, 0)).toBe(standard)
    expect(estimateOf({ ...size, toolCalls: { web_search: 5 } }, price, 0)).toBe(standard + 25_000)
    expect(estimateOf({ ...size, promptTokens: 1200 }, price, 0)).toBe(2400 + 300)
  })

  it('does not count on a step that is cheaper than the prices below it', () => {
    const falling = perToken({
      modelRatio: 1,
      completionRatio: 1,
      steps: [{ above: 1000, input: 0.5, output: 0.5 }],
    })
    expect(estimateOf({ promptTokens: 1200, maxOutputTokens: 0 }, falling, 0)).toBe(1200)
  })
})

describe('entries of models', () => {
  const entries = { '*': { a: 1, b: 1 }, 'gpt-*': { a: 2 }, 'gpt-5*': { b: 3 }, 'gpt-5': { c: 4 } }

  it('hold by name, then by the longest beginning', () => {
    expect(modelEntry(entries, 'gpt-5')).toEqual({ c: 4 })
    expect(modelEntry(entries, 'gpt-5-mini')).toEqual({ b: 3 })
    expect(modelMembers(entries, 'gpt-5')).toEqual({ a: 2, b: 3, c: 4 })
    expect(modelMembers(entries, 'claude')).toEqual({ a: 1, b: 1 })
    expect(modelMembers({ 'x*': { a: 1 } }, 'gpt')).toBeUndefined()
    expect(modelEntry({ 'gpt-5*': 1 }, 'gpt-5*')).toBe(1)
  })
})

describe('a field that changes the vendor’s price', () => {
  const field = (feature: CostlyField['feature'], value: string): CostlyField => ({
    feature,
    value,
    param: 'x',
    position: { path: ['x'] },
    reaches: 'own',
    isOptional: false,
  })
  const asksFor = (model: string, feature: CostlyField['feature'], value: string) =>
    pricedFields({ ...defaults, ModelPrice: { painter: 0.1 } }, model)(field(feature, value))

  it('passes where the price of the model has a term for it', () => {
    expect(asksFor('gpt-5', 'service-tier', 'priority')).toBe(true)
    expect(asksFor('gpt-5', 'service-tier', 'fast')).toBe(true)
    expect(asksFor('gpt-6-astra', 'service-tier', 'ultrafast')).toBe(true)
    expect(asksFor('gpt-5', 'hosted-tool', 'web_search')).toBe(true)
    expect(asksFor('claude-opus-5', 'speed', 'fast')).toBe(true)
    expect(asksFor('claude-opus-5', 'hosted-tool', 'web_search_20250305')).toBe(true)
    expect(asksFor('claude-sonnet-4-6', 'inference-geo', 'us')).toBe(true)
    expect(asksFor('claude-sonnet-4-5', 'long-context', 'context-1m-2025-08-07')).toBe(true)
    expect(asksFor('gemini-2.5-pro', 'hosted-tool', 'googleSearch')).toBe(true)
  })

  it.each([
    ['gpt-5', 'service-tier', 'scale'],
    ['gpt-5', 'service-tier', 'ultrafast'],
    ['claude-opus-5', 'service-tier', 'fast'],
    ['gpt-5', 'hosted-tool', 'image_generation'],
    ['gpt-5', 'hosted-tool', 'code_interpreter_64g'],
    ['gpt-6.2-sol', 'long-cache', '12h'],
    ['gpt-5', 'hosted-tool', 'constructor'],
    ['gpt-5', 'other-model', 'x'],
    ['gpt-5', 'long-context', 'x'],
    ['claude-sonnet-4-6', 'speed', 'fast'],
    ['my-own-model', 'hosted-tool', 'web_search'],
    ['painter', 'service-tier', 'priority'],
  ] as const)('does not for %s: %s %s', (model, feature, value) => {
    expect(asksFor(model, feature, value)).toBe(false)
  })
})

describe('the words', () => {
  it('are the same for who reads responses and for who sets prices', () => {
    expect([...pricedTools]).toEqual([...toolKinds])
    expect([...pricedTiers]).toEqual([...serviceTiers])
  })
})

describe('the settings', () => {
  it('make a price of a model as its vendor lists it', () => {
    const pro = findPrice(defaults, 'gemini-2.5-pro', 'default')
    if (pro === 'unpriced') throw new Error('unpriced')
    const long = usageOf({ inputTokens: 100_000, cacheReadTokens: 150_000, outputTokens: 1000 })
    // USD per million tokens beyond 200,000: 2.5, 0.25 and 15.
    expect(costOf(long, pro)).toBe((100_000 * 2.5 + 150_000 * 0.25 + 1000 * 15) / 2)
  })
})
