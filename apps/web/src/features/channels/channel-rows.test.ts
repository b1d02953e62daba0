import { describe, expect, it } from 'bun:test'
import type { Channel } from '@tollgate/api'
import { isTagRow, rowCountOf, rowsByTag, summaryOf } from './channel-rows.ts'

const last_hour = { ok: 0, failed: 0, other_failures: 0, latency_ms: 0 }
const channel = (id: number, fields: Partial<Channel> = {}) =>
  ({
    id,
    tag: '',
    status: 1,
    test_time: 0,
    test_failure: null,
    health: { last_hour, last_success_time: 0, last_failure_time: 0 },
    ...fields,
  }) as Channel
const channels = [channel(1, { tag: 'eu' }), channel(4), channel(2, { tag: 'eu' }), channel(3, { tag: 'us' })]

describe('a page by tag', () => {
  it('has a row for each tag, and the channels of those that are open', () => {
    const rows = rowsByTag(channels, (tag) => tag === 'eu')
    expect(rows.map((row) => (isTagRow(row) ? row.tag : row.id))).toEqual(['eu', 1, 2, 'us', 4])
  })

  it('counts tags, and channels without one', () => {
    expect(rowCountOf(channels)).toBe(3)
  })

  it('sums up the channels of a tag', () => {
    const members = [
      channel(1, { response_time: 1000, used_quota: 5, priority: 2, weight: 1 }),
      channel(2, { response_time: 500, used_quota: 7, priority: 2, weight: 3, status: 2 }),
      channel(3, { response_time: 0, used_quota: 0, priority: 2, weight: 3 }),
    ]
    expect(summaryOf(members)).toEqual({
      enabled: 2,
      used: 12,
      response: 750,
      priority: 2,
      weight: undefined,
    })
  })
})
