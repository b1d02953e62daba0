import { describe, expect, it } from 'bun:test'
import { type ModelCost, type ModelPrice, type TokenPriceName, tokenPriceKinds } from '@tollgate/api'
import { type Usage, usageOf } from '@tollgate/formats'
import { editedText } from '../../settings/option-edit.ts'
import { settingsInMemory } from '../../settings/test-support/settings-in-memory.ts'
import { costOf } from './charge.ts'
import { costChanges, listPriceOf, modelPriceOf, ownCostOf, priceChanges } from './model-price.ts'
import { findPrice } from './price-table.ts'

const empty = {
  ModelPrice: '{"old":0.04}',
  ModelRatio: '{}',
  CompletionRatio: '{}',
  CacheRatio: '{"old":0.5}',
  CreateCacheRatio: '{}',
  AudioRatio: '{}',
  AudioCompletionRatio: '{}',
  ImageRatio: '{}',
  ImageCompletionRatio: '{}',
}

/** Stores a price, and reads it and the options that changed. */
async function saved(model: string, price: ModelPrice | null, stored: Record<string, string> = {}) {
  const settings = await settingsInMemory({ ...empty, ...stored })
  const changes = priceChanges(settings.current, model, price)
  await settings.change((now) =>
    changes.map((change) => ({ key: change.key, text: editedText(change, now) ?? '' })),
  )
  return {
    price: modelPriceOf(settings.current, model),
    options: Object.fromEntries(changes.map(({ key }) => [key, { ...settings.current[key] }])),
  }
}

describe('the price of a model in currency', () => {
  it('is stored as ratios, and reads as it was written', async () => {
    const price = {
      input: 0.8,
      output: 2.4,
      cache_read: 0.08,
      cache_write: 1,
      audio_input: 3,
      audio_output: 7,
      image_input: 1.6,
      image_output: 8,
    }
    const { options, price: read } = await saved('my-model', price)
    expect(options).toEqual({
      ModelRatio: { 'my-model': 0.4 },
      CompletionRatio: { 'my-model': 3 },
      CacheRatio: { old: 0.5, 'my-model': 0.1 },
      CreateCacheRatio: { 'my-model': 1.25 },
      AudioRatio: { 'my-model': 3.75 },
      AudioCompletionRatio: { 'my-model': 2.333333333333 },
      ImageRatio: { 'my-model': 2 },
      ImageCompletionRatio: { 'my-model': 5 },
    })
    expect(read).toEqual(price)
  })

  it('replaces every part of the price before, per call or per token', async () => {
    const perToken = await saved('old', { input: 2 })
    expect(perToken).toEqual({
      price: { input: 2 },
      options: { ModelPrice: {}, ModelRatio: { old: 1 }, CacheRatio: {} },
    })
    expect((await saved('old', { call: 0.1, input: 3 })).price).toEqual({ call: 0.1 })
    expect((await saved('old', null)).price).toEqual({})
    expect((await saved('old', { call: 0.04 })).options).toEqual({ CacheRatio: {} })
  })

  it('counts with the quota units of a unit of currency', async () => {
    const { options, price } = await saved('my-model', { input: 3 }, { QuotaPerUnit: '1000000' })
    expect(options).toEqual({ ModelRatio: { 'my-model': 3 } })
    expect(price).toEqual({ input: 3 })
  })

  it('of output is stored whatever the family of the model costs', async () => {
    const price = { input: 2, output: 100 }
    const { options, price: read } = await saved('gpt-4o', price)
    expect(options).toEqual({ ModelRatio: { 'gpt-4o': 1 }, CompletionRatio: { 'gpt-4o': 50 } })
    expect(read).toEqual(price)
  })

  it('needs an input price that the others are multiples of', async () => {
    const { current } = await settingsInMemory(empty)
    for (const price of [{ output: 2 }, { input: 0, output: 2 }])
      expect(() => priceChanges(current, 'my-model', price)).toThrow('Enter an input price above 0')
    expect((await saved('my-model', { input: 0, output: 0 })).price).toEqual({ input: 0 })
  })
})

describe('what is charged', () => {
  const price = {
    input: 4,
    output: 12,
    cache_read: 0.4,
    cache_write: 5,
    audio_input: 16,
    audio_output: 32,
    image_input: 8,
    image_output: 40,
  }
  /** A million tokens of a kind and no others, as an upstream counts them: parts of input or output are in their whole. */
  const million = 1_000_000
  const usages: Readonly<Record<TokenPriceName, Partial<Usage>>> = {
    input: { inputTokens: million },
    output: { outputTokens: million },
    cache_read: { cacheReadTokens: million },
    cache_write: { cacheWriteTokens: million },
    audio_input: { inputTokens: million, audioInputTokens: million },
    audio_output: { outputTokens: million, audioOutputTokens: million },
    image_input: { inputTokens: million, imageInputTokens: million },
    image_output: { outputTokens: million, imageOutputTokens: million },
  }
  async function charged(sheet: ModelPrice, used: Partial<Usage>): Promise<number> {
    const settings = await settingsInMemory(empty)
    await settings.change((now) =>
      priceChanges(now, 'my-model', sheet).map((change) => ({
        key: change.key,
        text: editedText(change, now) ?? '',
      })),
    )
    const found = findPrice(settings.current, 'my-model', 'default')
    if (found === 'unpriced') throw new Error('the sheet sets a price')
    return costOf(usageOf(used), found) / settings.current.QuotaPerUnit
  }

  it.each(tokenPriceKinds.map(({ name }) => name))(
    'for a million tokens of %s is the price of the sheet',
    async (name) => {
      expect(await charged(price, usages[name])).toBe(price[name])
    },
  )

  it.each(tokenPriceKinds.filter(({ name }) => name !== 'input'))(
    'without a price of $name is its default',
    async ({ name }) => {
      if (name === 'input') return
      const { [name]: _left, ...rest } = price
      const defaults = {
        output: 4,
        cache_read: 4,
        cache_write: 5,
        audio_input: 4,
        audio_output: 16,
        image_input: 4,
        image_output: 12,
      }
      expect(await charged(rest, usages[name])).toBe(defaults[name])
    },
  )
})

describe("the cost of an upstream's model", () => {
  const settings = { ModelCost: { kept: { model_ratio: 1 } }, QuotaPerUnit: 500_000 }

  it('is stored as ratios, and reads as it was written', () => {
    const price = { input: 2, output: 9, cache_read: 0.2 }
    const changes = costChanges(settings, [
      { upstream_model: 'mine', price, base: {} },
      { upstream_model: 'kept', price: null },
      { upstream_model: 'calls', price: { call: 0.03 } },
    ])
    const mine = { model_ratio: 1, completion_ratio: 4.5, cache_ratio: 0.1 }
    expect(changes).toEqual([
      { key: 'ModelCost', entries: { mine, kept: null, calls: { model_price: 0.03 } } },
    ])
    const read = (cost: ModelCost) => ownCostOf({ ...settings, ModelCost: { mine: cost } }, 'mine')
    expect([read(mine), read({ model_price: 0.03 })]).toEqual([price, { call: 0.03 }])
  })

  it('is refused without one of input, and where somebody else has changed it', () => {
    const change = (price: ModelPrice, base?: ModelPrice) => () =>
      costChanges(settings, [{ upstream_model: 'kept', price, base }])
    expect(change({ output: 2 })).toThrow('Enter an input price above 0')
    expect(change({ input: 3 }, { input: 1 })).toThrow()
    expect(change({ input: 3 }, { input: 2 })).not.toThrow()
  })
})

describe('the price of a vendor', () => {
  it('is offered where it can be set in full', () => {
    expect(listPriceOf('openai/gpt-4o-2024-08-06')).toEqual({ input: 2.5, output: 10, cache_read: 1.25 })
    expect(listPriceOf('text-embedding-3-small')).toEqual({ input: 0.02 })
    expect(listPriceOf('dall-e-3')).toEqual({ call: 0.04 })
    for (const perSecond of ['sora-2', 'my-own-model']) expect(listPriceOf(perSecond)).toBeUndefined()
  })
})
