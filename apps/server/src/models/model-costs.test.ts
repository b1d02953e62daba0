import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import type { RoutedChannel } from '../channels/routing/routing-types.ts'
import { routedChannel } from '../channels/test-support/routed-channel.ts'
import { modelCosts } from './model-costs.ts'

const { setting } = routedChannel({ id: 1 })
const channel = (id: number, change: Partial<RoutedChannel>) =>
  routedChannel({ name: `channel ${id}`, groups: ['default'], ...change, id })

const settings = {
  ...defaults,
  ModelCost: {},
  ModelRatio: { 'gpt-4o': 1.25, cheap: 1 },
  CompletionRatio: { 'gpt-4o': 4, cheap: 1 },
  CacheRatio: { 'gpt-4o': 0.5 },
  GroupRatio: { default: 1, vip: 0.8, staff: 0.7 },
}
const channels = [
  channel(1, { models: new Set(['gpt-4o', 'my-own']), groups: ['default', 'vip', 'staff'] }),
  channel(2, {
    models: new Set(['gpt-4o']),
    groups: ['default', 'vip', 'staff'],
    setting: { ...setting, costFactor: 0.75 },
  }),
  channel(3, { models: new Set(['cheap']), modelMapping: new Map([['cheap', 'gpt-4o']]) }),
  channel(4, { models: new Set(['gpt-4o']), status: 'disabled' }),
]

describe('the costs of models', () => {
  it('are those of each enabled channel, by the model that it asks for and its factor', () => {
    const rows = modelCosts(settings, { channels }, {})
    expect(
      rows.map(({ model_name, channel, upstream_model, source }) => [
        model_name,
        channel,
        upstream_model,
        source,
      ]),
    ).toEqual([
      ['cheap', 3, 'gpt-4o', 'list'],
      ['gpt-4o', 1, 'gpt-4o', 'list'],
      ['gpt-4o', 2, 'gpt-4o', 'list'],
      ['my-own', 1, 'my-own', 'unknown'],
    ])
    expect(rows[2]).toMatchObject({
      cost_factor: 0.75,
      model_ratio: 0.9375,
      completion_ratio: 4,
      cache_ratio: 0.5,
    })
  })

  it('name the groups that are charged less for input, cached input or output', () => {
    const losing = modelCosts(settings, { channels }, { losing: true })
    expect(
      losing.map(({ model_name, channel, losing_groups }) => [model_name, channel, losing_groups]),
    ).toEqual([
      ['cheap', 3, ['default']],
      ['gpt-4o', 1, ['vip', 'staff']],
      ['gpt-4o', 2, ['staff']],
    ])
  })

  it('lose where there is any time at which calls are charged less, by the windows of both in their zones', () => {
    const one = [channel(1, { models: new Set(['gpt-4o']) })]
    const isLosing = (TimePrice: object, TimeCost: object = {}) =>
      modelCosts({ ...settings, TimePrice, TimeCost } as never, { channels: one }, { losing: true }).length >
      0
    const night = (zone: string, ratio: number) => ({
      'gpt-*': { zone, windows: [{ days: ['fri'], from: '22:00', to: '06:00', ratio }] },
    })
    expect(isLosing({})).toBe(false)
    expect(isLosing(night('Europe/Berlin', 0.5))).toBe(true)
    expect(isLosing({}, night('Europe/Berlin', 2))).toBe(true)
    expect(isLosing(night('Europe/Berlin', 0.5), night('Europe/Berlin', 0.5))).toBe(false)
    expect(isLosing(night('Europe/Berlin', 0.5), night('Asia/Kolkata', 0.5))).toBe(true)
  })

  it('say at which times each group loses, by the periods of price and cost that meet', () => {
    const one = [channel(1, { models: new Set(['gpt-4o']), groups: ['default', 'vip', 'staff'] })]
    const day = (from: string, to: string, ratio: number) => ({ from, to, ratio })
    const times = (zone: string, ...windows: object[]) => ({ 'gpt-4o': { zone, windows } })
    const losing = (TimePrice: object, TimeCost: object = {}) => {
      const found = modelCosts(
        { ...settings, TimePrice, TimeCost } as never,
        { channels: one },
        { losing: true },
      )
      return found.map(({ losing_groups, losing_times }) => [losing_groups, losing_times] as const)
    }
    // VIP pays 0.8 and staff 0.7 of the price, which equals the cost.
    expect(losing({})).toEqual([[['vip', 'staff'], []]])
    const half = day('22:00', '06:00', 0.5)
    const more = day('06:00', '08:00', 1.3)
    const [charged, paid] = [
      { ...half, zone: 'UTC' },
      { ...half, zone: 'Asia/Kolkata' },
    ]
    const all = ['default', 'vip', 'staff']
    const found = losing(times('UTC', half, more))
    expect(found).toEqual([[all, expect.any(Array)]])
    expect(found[0]?.[1]).toHaveLength(2)
    expect(found[0]?.[1]).toEqual(
      expect.arrayContaining([{ price_window: charged, groups: ['default', 'vip'] }, { groups: ['vip'] }]),
    )
    // At 22:00 in Kolkata it is 16:30 in UTC: for two hours and a half both are halved.
    const [[groups, both] = []] = losing(times('UTC', half), times('Asia/Kolkata', half))
    expect([groups, both?.length]).toEqual([all, 3])
    expect(both).toEqual(
      expect.arrayContaining([
        { price_window: charged, cost_window: paid, groups: ['vip', 'staff'] },
        { price_window: charged, groups: all },
        { groups: ['vip', 'staff'] },
      ]),
    )
    expect(losing({}, times('Asia/Kolkata', day('22:00', '06:00', 2)))).toEqual([
      [['default', 'vip', 'staff'], [{ cost_window: { ...paid, ratio: 2 }, groups: ['default'] }]],
    ])
  })

  it('compare prices per call, and say nothing of a price per call beside a cost per token', () => {
    const of = (ModelPrice: Readonly<Record<string, number>>, models: readonly string[]) =>
      modelCosts(
        { ...settings, ModelPrice },
        { channels: [channel(1, { models: new Set(models) })] },
        { losing: true },
      )
    expect(of({ 'dall-e-3': 0.03 }, ['dall-e-3'])).toMatchObject([{ quota_type: 1, model_price: 0.04 }])
    expect(of({ 'dall-e-3': 0.04 }, ['dall-e-3'])).toEqual([])
    expect(of({ 'gpt-4o': 0.000_001 }, ['gpt-4o'])).toEqual([])
  })

  it('can be those of one model or channel', () => {
    expect(modelCosts(settings, { channels }, { model_name: 'gpt-4o' })).toHaveLength(2)
    expect(modelCosts(settings, { channels }, { channel: 1 })).toHaveLength(2)
  })
})
