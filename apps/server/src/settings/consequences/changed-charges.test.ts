import { describe, expect, it } from 'bun:test'
import {
  type Language,
  type ModelPrice,
  modelPrice,
  type PriceEdit,
  pricedTiers,
  pricedTools,
  priceEdit,
  priceEntries,
  priceTexts,
  weekdays,
} from '@tollgate/api'
import { defaults, type SettingValues } from '@tollgate/api/settings'
import { priceEditChanges } from '../../billing/pricing/changes/price-edit.ts'
import { valuesAfter } from '../option-edit.ts'
import { changedCharges } from './changed-charges.ts'

const before: SettingValues = {
  ...defaults,
  ModelRatio: { house: 1, other: 3 },
  CompletionRatio: { house: 4 },
  CacheRatio: { house: 0.5 },
  ModelPrice: { film: 0.5 },
  GroupRatio: { default: 1, vip: 0.5, unused: 1 },
}
const served = new Map([
  ['default', new Set(['house', 'film'])],
  ['vip', new Set(['house', 'other'])],
])
const rows = (edits: Parameters<typeof valuesAfter>[1]) =>
  changedCharges(before, valuesAfter(before, edits), served).map(
    ({ model, group, part, unit, before: old, after }) => [model, group, part, unit, old, after],
  )

describe('charges that a change alters', () => {
  it('are named for each group that reaches the model, with its ratio and unit', () => {
    expect(rows([{ key: 'ModelRatio', entries: { house: 2 } }])).toEqual([
      ['house', 'default', 'input', 'million', 2, 4],
      ['house', 'default', 'output', 'million', 8, 16],
      ['house', 'default', 'cache_read', 'million', 1, 2],
      ['house', 'vip', 'input', 'million', 1, 2],
      ['house', 'vip', 'output', 'million', 4, 8],
      ['house', 'vip', 'cache_read', 'million', 0.5, 1],
    ])
    expect(rows([{ key: 'ModelPrice', entries: { film: 1 } }])).toEqual([
      ['film', 'default', 'call', 'call', 0.5, 1],
    ])
  })

  it('leave out parts without a figure of their own that follow the input', () => {
    expect(rows([{ key: 'CacheRatio', entries: { house: 1 } }])).toEqual([
      ['house', 'default', 'cache_read', 'million', 1, 2],
      ['house', 'vip', 'cache_read', 'million', 0.5, 1],
    ])
  })

  it('are one for all models of a group whose ratio changes, and none of a group that serves nothing', () => {
    expect(rows([{ key: 'GroupRatio', entries: { vip: 2, unused: 3 } }])).toEqual([
      ['', 'vip', 'GroupRatio', 'factor', 0.5, 2],
    ])
    expect(rows([{ key: 'GroupRatio', entries: { vip: null } }])).toEqual([])
  })

  it('rise most at the top, what was free before all, and are none for a first or a last price', () => {
    expect(
      rows([
        { key: 'ModelRatio', entries: { house: 1.5 } },
        { key: 'GroupRatio', entries: { default: 4 } },
      ]).map(([model, group, part]) => [model, group, part].join(' ')),
    ).toEqual([
      'house default input',
      'house default output',
      'house default cache_read',
      ' default GroupRatio',
      'house vip input',
      'house vip output',
      'house vip cache_read',
    ])
    expect(rows([{ key: 'ModelRatio', entries: { house: null, fresh: 1 } }])).toEqual([])
  })
})

/** Returns the charges that a price of one model alters, after another price of it. */
function chargesOf(first: Omit<PriceEdit, 'model_name'>, second: Omit<PriceEdit, 'model_name'>) {
  const saved = (now: SettingValues, edit: Omit<PriceEdit, 'model_name'>) =>
    valuesAfter(now, priceEditChanges(now, { model_name: 'house', ...edit }))
  const start = saved(before, first)
  return changedCharges(start, saved(start, second), served)
}

/** Figures of the charges, those of groups in the first one alone. */
const figuresOf = (charges: ReturnType<typeof chargesOf>) =>
  charges
    .filter(({ group }) => group !== 'vip')
    .map(({ within = '', part, before: old, after }) => [part, within, old, after])

const tokens: ModelPrice = {
  ...{ input: 2, output: 8, cache_read: 1, cache_write: 3 },
  ...{ audio_input: 4, audio_output: 16, image_input: 5, image_output: 20 },
}
const byTokens = { price: tokens }
const byCall = { price: { call: 0.5 } }
const office = { zone: 'Asia/Shanghai', windows: [{ from: '09:00', to: '18:00', ratio: 2 }] }

/** Each part beside the prices of tokens: what it was, what it will be, and the figures that differ. */
const besideTokens = {
  call: [byCall, { price: { call: 0.75 } }, [['call', '', 0.5, 0.75]]],
  tools: [
    { ...byTokens, entries: { tools: Object.fromEntries(pricedTools.map((name) => [name, 10])) } },
    { ...byTokens, entries: { tools: Object.fromEntries(pricedTools.map((name) => [name, 30])) } },
    pricedTools.map((name) => ['ToolPrice', name, 10, 30]),
  ],
  tiers: [
    { ...byTokens, entries: { tiers: Object.fromEntries(pricedTiers.map((name) => [name, 2])) } },
    { ...byTokens, entries: { tiers: Object.fromEntries(pricedTiers.map((name) => [name, 3])) } },
    pricedTiers.map((name) => ['TierRatio', name, 2, 3]),
  ],
  steps: [
    { ...byTokens, entries: { steps: [{ above: 200_000, input: 2, output: 1.5 }] } },
    { ...byTokens, entries: { steps: [{ above: 200_000, input: 3, output: 2, cached: 4 }] } },
    [
      ['LengthPrice', '>200000 cached', 2, 4],
      ['LengthPrice', '>200000 input', 2, 3],
      ['LengthPrice', '>200000 output', 1.5, 2],
    ],
  ],
  video: [
    { ...byCall, entries: { video: { unit: 'call', resolutions: { '4k': 2 }, sound: 2 } } },
    { ...byCall, entries: { video: { unit: 'second', resolutions: { '4k': 3, '720p': 0.5 }, sound: 3 } } },
    [
      ['VideoPrice', '4k', 2, 3],
      ['VideoPrice', 'sound', 2, 3],
      ['call', '', 0.5, 0.5],
      ['VideoPrice', '720p', 1, 0.5],
    ],
  ],
  times: [byTokens, { ...byTokens, times: office }, [['TimePrice', '09:00–18:00 Asia/Shanghai', 1, 2]]],
} satisfies Readonly<Record<string, readonly [object, object, readonly unknown[]]>>

describe('every part of a price', () => {
  it.each(Object.keys(modelPrice.shape).filter((name) => name !== 'call'))(
    'is named when %s changes',
    (name) => {
      const amount = tokens[name as keyof ModelPrice] ?? 0
      expect(figuresOf(chargesOf(byTokens, { price: { ...tokens, [name]: amount * 3 } }))).toEqual([
        [name, '', amount, amount * 3],
      ])
    },
  )

  it.each(Object.entries(besideTokens))('is named when %s changes', (_name, [first, second, figures]) => {
    expect(figuresOf(chargesOf(first as PriceEdit, second as PriceEdit))).toEqual(figures)
  })

  it('has such a test, if it is declared', () => {
    const { model_name: _model, price: _price, entries: _entries, ...others } = priceEdit.shape
    const declared = [...Object.keys(priceEntries.shape), ...Object.keys(others), 'call']
    expect(Object.keys(besideTokens).sort()).toEqual(declared.sort())
  })

  it('is said in the language of the reader, with the figure that it leads to', () => {
    const texts = (language: Language) =>
      Object.values(besideTokens).flatMap(([first, second]) =>
        chargesOf(first as PriceEdit, second as PriceEdit).map(({ part, within = '', unit, after }) => {
          const { name, price } = priceTexts(
            { name: 'house', within, part, unit, price: after ?? 0 },
            language,
          )
          return `${name}: ${price}`
        }),
      )
    expect(texts('en')).toContain('Long prompts of house, above 200,000 tokens, cached input: × 4')
    expect(texts('zh')).toContain('house 的长提示词价格（超过 200,000 Token · 缓存输入）: × 4')
    expect(texts('en')).toContain('Provider tool of house, web_search: $30 per 1,000 calls')
    expect(texts('zh')).toContain('house 的分时段价格（09:00–18:00 Asia/Shanghai）: × 2')
    expect(texts('zh').filter((text) => /Ratio|Price|undefined/.test(text))).toEqual([])
    const week = { name: '', within: weekdays.join(' '), part: 'TimePrice', unit: 'factor', price: 2 }
    expect(priceTexts(week, 'zh')['name']).not.toMatch(/[a-z]/)
    expect(texts('en')).toHaveLength(texts('zh').length)
  })
})

describe('charges of a price of another form', () => {
  it('are named where a price by tokens becomes one by call, or a tool has no price any more', () => {
    expect(figuresOf(chargesOf({ price: { input: 2 } }, byCall))).toEqual([
      ['call', '', null, 0.5],
      ['input', '', 2, null],
      ['output', '', 2, null],
    ])
    const dearer = { price: { ...tokens, input: 3 }, entries: { tools: { web_search: 10 } } }
    expect(figuresOf(chargesOf(byTokens, dearer))).toEqual([
      ['input', '', 2, 3],
      ['ToolPrice', 'web_search', null, 10],
    ])
    const searching = { ...byTokens, entries: { tools: { web_search: 10 } } }
    expect(figuresOf(chargesOf(searching, { ...byTokens, entries: { tools: null } }))).toEqual([
      ['ToolPrice', 'web_search', 10, null],
    ])
  })

  it('have the unit of before where a video is charged by seconds', () => {
    const video = { unit: 'second', resolutions: {} } as const
    expect(chargesOf(byCall, { ...byCall, entries: { video } })[0]).toMatchObject({
      ...{ part: 'call', unit: 'second', unit_before: 'call', before: 0.5, after: 0.5 },
    })
  })

  it('are those of the hours and lengths whose factor differs, however they are written', () => {
    const earlier = { ...office, windows: [{ from: '09:00', to: '17:00', ratio: 2 }] }
    expect(figuresOf(chargesOf({ ...byTokens, times: office }, { ...byTokens, times: earlier }))).toEqual([
      ['TimePrice', '17:00–18:00 Asia/Shanghai', 2, 1],
    ])
    const weekend = { from: '22:00', to: '06:00', ratio: 0.5, days: ['sat', 'sun'] as const }
    const nights = { zone: 'UTC', windows: [{ ...weekend, days: [...weekend.days] }] }
    expect(figuresOf(chargesOf({ ...byTokens, times: null }, { ...byTokens, times: nights }))).toEqual([
      ['TimePrice', 'sun sat 22:00–06:00 UTC', 1, 0.5],
    ])
    const steps = [{ above: 1000, input: 2, output: 2 }]
    const higher = [{ above: 1000, input: 3, output: 2 }]
    expect(
      figuresOf(chargesOf({ ...byTokens, entries: { steps } }, { ...byTokens, entries: { steps: higher } })),
    ).toEqual([['LengthPrice', '>1000 input', 2, 3]])
    const split = [...steps, { above: 5000, input: 2, output: 2 }]
    expect(
      chargesOf({ ...byTokens, entries: { steps } }, { ...byTokens, entries: { steps: split } }),
    ).toEqual([])
  })

  it('are found for models that an entry for beginnings of names prices', () => {
    const tiers = (ratio: number) => ({ ...before, TierRatio: { 'ho*': { priority: ratio } } })
    expect(changedCharges(tiers(2), tiers(3), served)).toEqual([
      {
        ...{ model: 'house', group: '', part: 'TierRatio', within: 'priority', unit: 'factor' },
        ...{ before: 2, after: 3 },
      },
    ])
  })
})
