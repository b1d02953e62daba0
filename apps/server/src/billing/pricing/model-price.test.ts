import { describe, expect, it } from 'bun:test'
import type { ModelPrice } from '@tollgate/api'
import { editedText } from '../../settings/option-edit.ts'
import { settingsInMemory } from '../../settings/test-support/settings-in-memory.ts'
import { listPriceOf, modelPriceOf, priceChanges } from './model-price.ts'

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

describe('the price of a vendor', () => {
  it('is offered where it can be set in full', () => {
    expect(listPriceOf('openai/gpt-4o-2024-08-06')).toEqual({ input: 2.5, output: 10, cache_read: 1.25 })
    expect(listPriceOf('text-embedding-3-small')).toEqual({ input: 0.02 })
    expect(listPriceOf('dall-e-3')).toEqual({ call: 0.04 })
    for (const perSecond of ['sora-2', 'my-own-model']) expect(listPriceOf(perSecond)).toBeUndefined()
  })
})
