import { describe, expect, it } from 'bun:test'
import type { ModelChannelCost } from '@tollgate/api'
import { knownCosts, lowestMargin } from './model-cost.ts'

const cost = (fields: Partial<ModelChannelCost> = {}): ModelChannelCost => ({
  model_name: 'm',
  channel: 1,
  channel_name: 'main',
  upstream_model: 'm',
  cost_factor: 1,
  source: 'list',
  quota_type: 0,
  model_ratio: 1,
  completion_ratio: 4,
  cache_ratio: 0.1,
  model_price: 0,
  losing_groups: [],
  ...fields,
})
const price = { quota_type: 0, model_ratio: 2, completion_ratio: 4, cache_ratio: 0.1, model_price: 0 }

describe('the cost of a model', () => {
  it('leaves the least of input, output and cached input', () => {
    expect(lowestMargin(price, cost())).toBe(0.5)
    expect(lowestMargin({ ...price, completion_ratio: 1 }, cost())).toBe(-1)
    expect(lowestMargin(price, cost({ cache_ratio: 0.3 }))).toBeCloseTo(-0.5)
  })

  it('is compared per call with a price per call alone', () => {
    const perCall = { ...price, quota_type: 1, model_price: 0.04 }
    expect(lowestMargin(perCall, cost({ quota_type: 1, model_price: 0.03 }))).toBeCloseTo(0.25)
    expect(lowestMargin(perCall, cost())).toBeUndefined()
    expect(lowestMargin(price, cost({ quota_type: 1, model_price: 0.03 }))).toBeUndefined()
  })

  it('leaves no share of nothing: a free model, and one without a price', () => {
    expect(lowestMargin({ ...price, model_ratio: 0 }, cost())).toBeUndefined()
    expect(lowestMargin({ ...price, unpriced: true }, cost())).toBeUndefined()
  })

  it('lists channels by what they take, without those of which nothing is known', () => {
    const costs = [
      cost({ channel: 1, source: 'unknown' }),
      cost({ channel: 2 }),
      cost({ channel: 3, model_ratio: 2 }),
    ]
    expect(knownCosts(costs).map(({ channel }) => channel)).toEqual([3, 2])
  })
})
