import { describe, expect, it } from 'bun:test'
import type { FailureGroup } from '@tollgate/api'
import { causesOf, remedyOf, withCause } from './failure-groups.ts'

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
  group({
    reason: 'insufficient_user_quota',
    user_id: 2,
    username: 'emil',
    channel: 0,
    channel_name: '',
    count: 61,
  }),
  group({ reason: 'insufficient_user_quota', username: 'ada', channel: 0, channel_name: '', count: 4 }),
  group({ count: 5 }),
  group({ channel: 4, channel_name: '', count: 5 }),
]

describe('causes of failures', () => {
  it('are listed by reason with whom nearly all of them concern', () => {
    expect(causesOf(groups, 'reason')).toEqual([
      {
        dimension: 'reason',
        key: 'insufficient_user_quota',
        name: 'insufficient_user_quota',
        id: 0,
        count: 65,
        beside: { dimension: 'user', key: 'emil', name: 'emil', id: 2 },
      },
      {
        dimension: 'reason',
        key: 'upstream_error',
        name: 'upstream_error',
        id: 0,
        count: 10,
        beside: undefined,
      },
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

  it('have a remedy where an administrator can do something', () => {
    const remedies = (dimension: 'reason' | 'user' | 'channel' | 'model') =>
      causesOf(groups, dimension).map((cause) => remedyOf(cause))
    expect(remedies('reason')).toEqual([{ kind: 'addBalance', id: 2 }, undefined])
    expect(remedies('user')).toEqual([{ kind: 'addBalance', id: 2 }, undefined])
    expect(remedies('channel').map((remedy) => [remedy?.kind, remedy?.id])).toEqual([
      ['openChannel', 3],
      ['openChannel', 4],
    ])
    const unpriced = causesOf([group({ reason: 'model_price_error' })], 'model')
    expect(unpriced.map((cause) => remedyOf(cause)?.kind)).toEqual(['setPrice'])
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
