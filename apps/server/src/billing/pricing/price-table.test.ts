import { describe, expect, it } from 'bun:test'
import type { Price } from './price.ts'
import { findPrice, isPriced, type PriceSettings } from './price-table.ts'

const settings: PriceSettings = {
  ModelPrice: { 'dall-e-3': 0.04, 'gpt-4-gizmo-*': 0.1, both: 0.2 },
  ModelRatio: {
    'gpt-4o': 1.25,
    'gpt-4o-gizmo-*': 2.5,
    both: 3,
    broken: -1,
    torn: 1,
    hears: 1,
    speaks: 1,
    draws: 1,
    'gemini-2.5-flash-thinking-*': 4,
    'gemini-2.5-flash-thinking-1': 5,
  },
  CompletionRatio: { 'gpt-4o-gizmo-*': 3 },
  CacheRatio: { 'gpt-4o': 0.5 },
  CreateCacheRatio: { 'gpt-4o': 0.1, torn: -1 },
  AudioRatio: { 'gpt-4o': 16, hears: 7 },
  AudioCompletionRatio: { 'gpt-4o': 2, speaks: 3 },
  ImageRatio: { 'gpt-4o': 2 },
  ImageCompletionRatio: { draws: 100 },
  VideoPrice: {},
  ToolPrice: {},
  TierRatio: {},
  LengthPrice: {},
  TimePrice: {},
  GroupRatio: { default: 1, vip: 0.8 },
  QuotaPerUnit: 500_000,
  SelfUseModeEnabled: false,
}

function termsOf(price: Price | 'unpriced') {
  if (price === 'unpriced') throw new Error('unpriced')
  return price.terms
}

describe('findPrice', () => {
  it('has one price for any reasoning budget in a name, and another for a name with its own price', () => {
    const ratioOf = (model: string) => {
      const price = findPrice(settings, model, 'default')
      return price === 'unpriced' ? price : price.terms.kind === 'per-token' && price.terms.modelRatio
    }
    expect(ratioOf('gemini-2.5-flash-thinking-1024')).toBe(4)
    expect(ratioOf('gemini-2.5-flash-thinking-1')).toBe(5)
    expect(ratioOf('gemini-2.5-pro-thinking-1024')).toBe('unpriced')
  })

  it('prices by token with every ratio of the model and the group', () => {
    expect(termsOf(findPrice(settings, 'gpt-4o', 'vip'))).toEqual({
      kind: 'per-token',
      modelRatio: 1.25,
      completionRatio: 4,
      cacheReadRatio: 0.5,
      cacheWriteRatio: 0.1,
      cacheWrite1hRatio: 0.16,
      audioRatio: 16,
      audioCompletionRatio: 2,
      imageRatio: 2,
      imageCompletionRatio: undefined,
      groupRatio: 0.8,
    })
  })

  it('writes to caches at the usual prices where the operator set none: 1.25, and 2 for an hour', () => {
    expect(termsOf(findPrice(settings, 'draws', 'default'))).toMatchObject({
      cacheWriteRatio: 1.25,
      cacheWrite1hRatio: 2,
    })
  })

  it('charges audio and images as text where the operator set no ratio', () => {
    expect(termsOf(findPrice(settings, 'draws', 'default'))).toMatchObject({
      audioRatio: 1,
      audioCompletionRatio: undefined,
      imageRatio: 1,
      imageCompletionRatio: 100,
    })
    expect(termsOf(findPrice(settings, 'hears', 'default'))).toMatchObject({
      audioRatio: 7,
      audioCompletionRatio: 1,
      imageCompletionRatio: undefined,
    })
    expect(termsOf(findPrice(settings, 'speaks', 'default'))).toMatchObject({
      audioRatio: 1,
      audioCompletionRatio: 3,
    })
  })

  it('prefers a price per call to ratios', () => {
    expect(termsOf(findPrice(settings, 'both', 'default'))).toEqual({
      kind: 'per-call',
      modelPrice: 0.2,
      quotaPerUnit: 500_000,
      groupRatio: 1,
    })
  })

  it('counts an unlisted group as ratio 1', () => {
    expect(termsOf(findPrice(settings, 'gpt-4o', 'unlisted')).groupRatio).toBe(1)
  })

  it('prices custom GPTs by their family', () => {
    expect(termsOf(findPrice(settings, 'gpt-4-gizmo-g-abc', 'default'))).toMatchObject({ modelPrice: 0.1 })
    expect(termsOf(findPrice(settings, 'gpt-4o-gizmo-g-abc', 'default'))).toMatchObject({
      modelRatio: 2.5,
      completionRatio: 3,
    })
  })

  it('charges cached tokens in full when the operator named no cache ratio', () => {
    expect(termsOf(findPrice(settings, 'gpt-4o-gizmo-*', 'default'))).toMatchObject({ cacheReadRatio: 1 })
  })

  it('refuses an unpriced model unless the operator or the user accepts such models', () => {
    expect(findPrice(settings, 'mystery', 'default')).toBe('unpriced')
    expect(termsOf(findPrice(settings, 'mystery', 'default', true))).toMatchObject({ modelRatio: 37.5 })
    const selfUse = { ...settings, SelfUseModeEnabled: true }
    expect(termsOf(findPrice(selfUse, 'mystery', 'default'))).toMatchObject({ modelRatio: 37.5 })
    expect(findPrice(settings, 'mystery', 'default')).toBe('unpriced')
  })

  it('does not serve what it cannot charge', () => {
    expect(findPrice(settings, 'broken', 'default')).toBe('unpriced')
    expect(findPrice(settings, 'torn', 'default')).toBe('unpriced')
    expect(findPrice({ ...settings, GroupRatio: { default: Number.NaN } }, 'gpt-4o', 'default')).toBe(
      'unpriced',
    )
  })

  it('is not fooled by names every object has', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(findPrice(settings, name, 'default')).toBe('unpriced')
      expect(termsOf(findPrice(settings, 'gpt-4o', name)).groupRatio).toBe(1)
      expect(isPriced(settings, name)).toBe(false)
    }
  })

  it('works a price out once per snapshot and forgets it with the snapshot', () => {
    expect(findPrice(settings, 'gpt-4o', 'vip')).toBe(findPrice(settings, 'gpt-4o', 'vip'))
    const costlier = { ...settings, ModelRatio: { 'gpt-4o': 2 } }
    expect(termsOf(findPrice(costlier, 'gpt-4o', 'vip'))).toMatchObject({ modelRatio: 2 })
  })
})
