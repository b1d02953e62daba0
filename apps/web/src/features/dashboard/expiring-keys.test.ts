import { describe, expect, it } from 'bun:test'
import type { KeyBrief } from '@tollgate/api'
import { expiringKeys } from './expiring-keys.ts'

const now = 1_800_000_000
const day = 24 * 3600
const well = { id: 1, expired_time: -1, unlimited_quota: true, remain_quota: 0, used_quota: 50 } as KeyBrief

describe('keys that end soon', () => {
  it('exclude keys that stay valid', () => {
    const fresh = { ...well, unlimited_quota: false, remain_quota: 5 }
    expect(expiringKeys([well, { ...fresh, id: 2, used_quota: 0 }], now)).toEqual([])
    expect(expiringKeys([{ ...well, expired_time: now + 8 * day }], now)).toEqual([])
  })

  it('expire within a week, or have less than a tenth of their budget left; each is listed once', () => {
    const soon = { ...well, id: 3, expired_time: now + 6 * day }
    const used = { ...well, id: 4, unlimited_quota: false, remain_quota: 5 }
    const both = { ...used, id: 5, expired_time: now + day }
    expect(expiringKeys([soon, used, both, used], now).map(({ key, end }) => [key.id, end])).toEqual([
      [3, 'date'],
      [4, 'budget'],
      [5, 'date'],
    ])
  })
})
