import { describe, expect, it } from 'bun:test'
import type { PricingRow } from '@tollgate/api'
import { settingsInMemory } from '../settings/test-support/settings-in-memory.ts'
import { jobCosts } from './job-costs.ts'

const row = (model_name: string, fields: Partial<PricingRow> = {}) =>
  ({ model_name, available: true, enable_groups: ['default', 'vip'], ...fields }) as PricingRow

const { current } = await settingsInMemory({
  ModelRatio: '{"dear":2,"cheap":0.5,"night":1}',
  CompletionRatio: '{"dear":4,"cheap":2,"night":1}',
  CacheRatio: '{"dear":0.25}',
  ModelPrice: '{"drawn":0.04,"film":0.1}',
  GroupRatio: '{"default":1,"vip":0.5}',
  TimePrice: '{"night":{"zone":"UTC","windows":[{"from":"00:00","to":"06:00","ratio":0.5}]}}',
})

const job = {
  group: 'default',
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 100,
  calls: 1,
  at: 12 * 3600,
  acceptsUnpriced: false,
}

describe('what a job costs', () => {
  const quotas = (more: Partial<typeof job>, rows = ['dear', 'cheap', 'night'].map((name) => row(name))) =>
    jobCosts(current, rows, { ...job, ...more }, () => 1000).map(({ model_name, quota }) => [
      model_name,
      quota,
    ])

  it('is what is charged, the cheapest model first', () => {
    expect(quotas({})).toEqual([
      ['cheap', 600],
      ['night', 1100],
      ['dear', 2800],
    ])
    expect(quotas({ group: 'vip', calls: 10 })[0]).toEqual(['cheap', 3000])
  })

  it('counts cached tokens at their price, and no more than there are', () => {
    expect(quotas({ cached_tokens: 400 })).toContainEqual(['dear', 1200 + 200 + 800])
    expect(quotas({ cached_tokens: 9000 })).toContainEqual(['dear', 500 + 800])
  })

  it('has the price of the time at which it is asked', () => {
    expect(quotas({ at: 3600 })).toContainEqual(['night', 550])
  })

  it('names models alone that the group can call, and whose price is known', () => {
    const rows = [
      row('drawn'),
      row('film', { video: { unit: 'second', resolutions: {} } }),
      row('nobody-priced'),
      row('dear', { available: false }),
      row('cheap', { enable_groups: ['vip'] }),
    ]
    expect(quotas({}, rows)).toEqual([['drawn', 20_000]])
  })
})
