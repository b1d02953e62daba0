import { describe, expect, it } from 'bun:test'
import type { PricingRow } from '@tollgate/api'
import { listedRows, matches } from './price-list.ts'

const row = (model_name: string, fields: Partial<PricingRow> = {}): PricingRow => ({
  model_name,
  quota_type: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  model_price: 0,
  enable_groups: ['default'],
  available: true,
  owner_by: '',
  supported_endpoint_types: [],
  ...fields,
})
const names = (rows: readonly PricingRow[]) => rows.map(({ model_name }) => model_name)
const all = { group: 'default', keyword: '', sort: undefined }

describe('price list', () => {
  const rows = [
    row('dall-e-3', { quota_type: 1 }),
    row('claude-sonnet-4'),
    row('gpt-4o-mini', { enable_groups: ['vip'] }),
    row('gpt-4o'),
    row('gpt-image-1', { quota_type: 1 }),
  ]

  it('puts billing by tokens first, then gpt, then names', () => {
    expect(names(listedRows(rows, all))).toEqual([
      'gpt-4o',
      'gpt-4o-mini',
      'claude-sonnet-4',
      'gpt-image-1',
      'dall-e-3',
    ])
  })

  it('says which models the group that is shown does not reach, and sorts by it', () => {
    const sorted = listedRows(rows, { ...all, sort: { column: 'available', descending: false } })
    expect(sorted[0]).toMatchObject({ model_name: 'gpt-4o-mini', isServed: false })
    expect(sorted[1]).toMatchObject({ model_name: 'gpt-4o', isServed: true })
  })

  it('finds names as people type them', () => {
    expect(matches('gpt-4o-mini', 'gpt4o')).toBe(true)
    expect(matches('gpt-4o-mini', 'MINI gpt')).toBe(true)
    expect(matches('gpt-4o-mini', 'ｇｐｔ－４ｏ')).toBe(true)
    expect(matches('gpt-4o-mini', '4mini')).toBe(true)
    expect(matches('gpt-4o-mini', 'mini4')).toBe(false)
    expect(matches('gpt-4o-mini', '')).toBe(true)
    expect(matches('gpt-4o-mini', 'claude')).toBe(false)
  })
})
