import { describe, expect, it } from 'bun:test'
import { defaults, type SettingKey, type SettingValues } from '@tollgate/api/settings'
import { ConfirmationRequired } from './confirmation.ts'
import { farPrices, priceOptions } from './far-prices.ts'

const withOption = (key: SettingKey, value: unknown, base: SettingValues = defaults): SettingValues =>
  ({ ...base, [key]: value }) as SettingValues

/** The value with each of its numbers times a factor. */
function scaled(value: unknown, factor: number): unknown {
  if (typeof value === 'number') return value * factor
  if (Array.isArray(value)) return value.map((item) => scaled(item, factor))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, scaled(item, factor)]))
}

/** A price of the operator's own in every option that has one. */
const own: SettingValues = {
  ...defaults,
  ModelPrice: { 'by-call': 0.5 },
  ModelRatio: { house: 3 },
  CompletionRatio: { house: 4 },
  CacheRatio: { house: 0.5 },
  CreateCacheRatio: { house: 1.25 },
  AudioRatio: { house: 8 },
  AudioCompletionRatio: { house: 2 },
  ImageRatio: { house: 2 },
  ImageCompletionRatio: { house: 2 },
  VideoPrice: { film: { unit: 'second', resolutions: { '720p': 1 }, sound: 2 } },
  ToolPrice: { house: { web_search: 10 } },
  TierRatio: { house: { priority: 2 } },
  LengthPrice: { house: [{ above: 200_000, input: 2, output: 1.5 }] },
  TimePrice: { house: { zone: 'UTC', windows: [{ from: '22:00', to: '06:00', ratio: 0.5 }] } },
}

describe('a price that is far from another', () => {
  it.each(priceOptions)('is found in %s, up and down, and a usual change is not', (key) => {
    for (const factor of [10, 100, 0.1, 0.001])
      expect([
        key,
        factor,
        farPrices(own, withOption(key, scaled(own[key], factor), own)).length > 0,
      ]).toEqual([key, factor, true])
    for (const factor of [2, 0.5, 9])
      expect([key, factor, farPrices(own, withOption(key, scaled(own[key], factor), own))]).toEqual([
        key,
        factor,
        [],
      ])
  })

  it('is compared with the list of its vendor, and with what the operator pays', () => {
    const listed = farPrices(defaults, withOption('ModelRatio', { ...defaults.ModelRatio, 'gpt-4o': 50_000 }))
    expect(listed).toMatchObject([
      { code: 'price_far_from_list', details: { price: 100_000, reference: 2.5 } },
    ])
    const costed = withOption('ModelCost', { house: { model_ratio: 100 } })
    const sold = withOption('ModelRatio', { ...defaults.ModelRatio, house: 1 }, costed)
    expect(farPrices(costed, sold)).toMatchObject([{ code: 'price_far_from_cost' }])
  })

  it('is compared with the dearest of all where nothing is known of the model', () => {
    const at = (ratio: number) =>
      farPrices(defaults, withOption('ModelRatio', { ...defaults.ModelRatio, unknown: ratio }))
    expect(at(50_000)).toMatchObject([{ code: 'price_far_from_all' }])
    expect([at(0), at(1), at(40)]).toEqual([[], [], []])
  })

  it('is nothing where a listed model costs nothing any more', () => {
    const free = withOption('ModelRatio', { ...defaults.ModelRatio, 'gpt-4o': 0 })
    expect(farPrices(defaults, free)).toMatchObject([{ code: 'price_far_from_list', details: { price: 0 } }])
  })

  it('may come from two options, neither of which changes much', () => {
    const both = { ...own, ModelRatio: { house: 15 }, CompletionRatio: { house: 16 } }
    expect(farPrices(own, both)).toMatchObject([
      { details: { name: 'house', part: 'output', unit: 'million' } },
    ])
  })

  it('is no price that is removed, and none that is new at the measure of others', () => {
    expect(farPrices(own, withOption('ModelRatio', {}, own))).toEqual([])
    expect(farPrices(own, withOption('GroupRatio', { ...own.GroupRatio, staff: 0, half: 0.5 }, own))).toEqual(
      [],
    )
    expect(farPrices(own, withOption('GroupRatio', { ...own.GroupRatio, gold: 50 }, own))).toHaveLength(1)
  })

  /** The sentences in which a person reads of it. */
  const sentences = (after: SettingValues) => {
    const requested = new ConfirmationRequired(farPrices(own, after))
    return [requested.publicMessage('en'), requested.publicMessage('zh')]
  }

  it.each(priceOptions)('is said with currency and unit, and in the language of the reader (%s)', (key) => {
    const [en = '', zh = ''] = sentences(withOption(key, scaled(own[key], 100), own))
    expect(en).toMatch(/\$[\d.,]+ per|× [\d.,]+|: [\d.,]+ is far/)
    expect(zh).toMatch(/\$[\d.,]+ \/|× [\d.,]+|：[\d.,]+ 与/)
    expect(zh).not.toMatch(/Ratio|Price|QuotaPerUnit|input|output|cache/)
  })

  it('is a price per million tokens, per call or per second', () => {
    const house = withOption('ModelRatio', { house: 50_000 }, own)
    expect(sentences(house)[0]).toContain(
      'house, input: $100,000 per million tokens is far from $6 per million',
    )
    const film = withOption('ModelPrice', { film: 50 }, withOption('ModelPrice', { film: 0.5 }, own))
    const before = withOption('ModelPrice', { film: 0.5 }, own)
    const [requested] = farPrices(before, film)
    expect(requested).toMatchObject({ details: { name: 'film', part: 'call', unit: 'second', price: 50 } })
  })

  it('is no number of tokens from which a prompt is long', () => {
    const steps = [{ above: 2_000, input: 2, output: 1.5 }]
    expect(farPrices(own, withOption('LengthPrice', { house: steps }, own))).toEqual([])
    const above = withOption('GroupRatio', { ...own.GroupRatio, above: 50 }, own)
    expect(farPrices(own, above)).toHaveLength(1)
  })
})
