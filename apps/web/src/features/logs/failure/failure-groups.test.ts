import { describe, expect, it } from 'bun:test'
import type { FailureGroup } from '@tollgate/api'
import { causesOf, withCause } from './failure-groups.ts'

const group = (fields: Partial<FailureGroup>): FailureGroup => ({
  reason: 'upstream_error',
  model_name: 'gpt-4o',
  user_id: 1,
  username: 'ada',
  channel: 3,
  channel_name: 'Main',
  count: 1,
  last_at: 0,
  ...fields,
})

const groups = [
  group({ reason: 'insufficient_user_quota', username: 'emil', channel: 0, channel_name: '', count: 61 }),
  group({ reason: 'insufficient_user_quota', username: 'ada', channel: 0, channel_name: '', count: 4 }),
  group({ count: 5 }),
  group({ channel: 4, channel_name: '', count: 5 }),
]

describe('causes of failures', () => {
  it('are listed by reason with whom nearly all of them concern', () => {
    expect(causesOf(groups, 'reason')).toEqual([
      {
        key: 'insufficient_user_quota',
        name: 'insufficient_user_quota',
        count: 65,
        beside: { dimension: 'user', key: 'emil', name: 'emil' },
      },
      { key: 'upstream_error', name: 'upstream_error', count: 10, beside: undefined },
    ])
  })

  it('are listed by channel with names, without calls that reached none', () => {
    expect(causesOf(groups, 'channel').map(({ key, name, count }) => [key, name, count])).toEqual([
      ['3', 'Main', 5],
      ['4', '4', 5],
    ])
    expect(causesOf(groups, 'user').map(({ key, count }) => [key, count])).toEqual([
      ['emil', 61],
      ['ada', 14],
    ])
  })

  it('narrow the log to failed calls', () => {
    expect(withCause({ range: '1h', type: 2 }, 'reason', 'overloaded')).toEqual({
      range: '1h',
      type: undefined,
      reason: 'overloaded',
    })
    expect(withCause({}, 'channel', '3')).toEqual({ type: 5, channel: 3 })
    expect(withCause({ reason: 'overloaded' }, 'user', 'ada')).toEqual({
      reason: 'overloaded',
      type: undefined,
      user: 'ada',
    })
  })
})
