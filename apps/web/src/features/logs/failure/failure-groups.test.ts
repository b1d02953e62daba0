import { describe, expect, it } from 'bun:test'
import type { FailureGroup } from '@tollgate/api'
import { causesOf, type FailureSubject, remedyOf, withCause } from './failure-groups.ts'

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
    const causes = causesOf(groups, 'reason')
    expect(causes[0]).toEqual({
      dimension: 'reason',
      key: 'insufficient_user_quota',
      name: 'insufficient_user_quota',
      id: 0,
      count: 65,
      beside: { dimension: 'user', key: 'emil', name: 'emil', id: 2 },
      isPart: false,
    })
    expect(
      causes.slice(1).map(({ key, count, beside, isPart }) => [key, count, beside?.key, isPart]),
    ).toEqual([
      ['upstream_error', 5, '3', true],
      ['upstream_error', 5, '4', true],
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
    expect(remedies('reason')).toEqual([
      { kind: 'addBalance', id: 2 },
      { kind: 'openChannel', id: 3 },
      { kind: 'openChannel', id: 4 },
    ])
    expect(remedies('user')).toEqual([{ kind: 'addBalance', id: 2 }, undefined])
    expect(remedies('channel').map((remedy) => [remedy?.kind, remedy?.id])).toEqual([
      ['openChannel', 3],
      ['openChannel', 4],
    ])
    const unpriced = causesOf([group({ reason: 'model_price_error' })], 'model')
    expect(unpriced.map((cause) => remedyOf(cause)?.kind)).toEqual(['setPrice'])
  })

  it('are listed for each of a few whom a reason concerns', () => {
    const two = [
      group({ reason: 'insufficient_user_quota', user_id: 2, username: 'emil', count: 9 }),
      group({ reason: 'insufficient_user_quota', user_id: 3, username: 'ida', count: 4 }),
      group({ count: 5 }),
    ]
    const causes = causesOf(two, 'reason')
    expect(causes.map(({ key, beside, count, isPart }) => [key, beside?.key, count, isPart])).toEqual([
      ['insufficient_user_quota', 'emil', 9, true],
      ['upstream_error', '3', 5, false],
      ['insufficient_user_quota', 'ida', 4, true],
    ])
    expect(causes.map((cause) => remedyOf(cause)?.id)).toEqual([2, 3, 3])
    expect(causes.map((cause) => withCause({ range: '1h' }, cause))[0]).toEqual({
      range: '1h',
      type: undefined,
      reason: 'insufficient_user_quota',
      user: 'emil',
    })
    const many = ['a', 'b', 'c', 'd'].map((username) => group({ reason: 'too_many_requests', username }))
    expect(causesOf(many, 'reason').map(({ beside, count }) => [beside, count])).toEqual([[undefined, 4]])
  })

  it('narrow the log to failed calls', () => {
    const causeOf = (dimension: FailureSubject['dimension'], key: string) => ({
      ...{ dimension, key, name: key, id: 0, beside: undefined, isPart: false },
    })
    expect(withCause({ range: '1h', type: 2 }, causeOf('reason', 'overloaded'))).toEqual({
      range: '1h',
      type: undefined,
      reason: 'overloaded',
    })
    expect(withCause({}, causeOf('channel', '3'))).toEqual({ type: 5, channel: 3 })
    expect(withCause({ reason: 'overloaded' }, causeOf('user', 'ada'))).toEqual({
      reason: 'overloaded',
      type: undefined,
      user: 'ada',
    })
  })
})
