import { describe, expect, it } from 'bun:test'
import { channelState, groupsOf, readOtherInfo, responseTier } from './channel-state.ts'

const healthy = {
  state: 'closed' as const,
  error_rate: 0,
  reason: '',
  reason_code: '',
  reason_params: {},
  last_success_time: 0,
  last_failure_time: 0,
  last_failure_code: '',
  last_failure_params: {},
  never_answered: true,
  retry_at: 0,
  recent_ms: [],
  keys: [
    {
      index: 0,
      hint: 'sk-***abc',
      status: 'enabled' as const,
      reason: '',
      reason_code: '',
      reason_params: {},
      retry_at: 0,
    },
  ],
}
const enabled = { status: 1, other_info: '', health: healthy, key_count: 1 }

describe('state of a channel', () => {
  it('is the status while nothing is wrong', () => {
    expect(channelState(enabled)).toMatchObject({ word: 'enabled', tone: 'good', reason: '' })
    expect(channelState({ ...enabled, status: 2 })).toMatchObject({ word: 'disabled', tone: 'neutral' })
    expect(channelState({ ...enabled, status: 9 })).toMatchObject({ word: 'unknown' })
  })

  it('names reason and time of an automatic disabling', () => {
    const other_info = JSON.stringify({
      status_reason: 'the key was refused (status 401)',
      status_time: 1700,
    })
    expect(channelState({ ...enabled, status: 3, other_info })).toMatchObject({
      word: 'auto-disabled',
      tone: 'bad',
      reason: 'the key was refused (status 401)',
      since: 1700,
    })
  })

  it('does not show an old reason of a channel that is back in service', () => {
    const other_info = JSON.stringify({ status_reason: 'passed a test', status_time: 1700 })
    expect(channelState({ ...enabled, other_info })).toMatchObject({ word: 'enabled', reason: '', since: 0 })
  })

  it('rests while its breaker is open, and says until when', () => {
    const health = { ...healthy, state: 'open' as const, reason: 'rate limited', retry_at: 1800 }
    expect(channelState({ ...enabled, health })).toMatchObject({
      word: 'resting',
      reason: 'rate limited',
      retryAt: 1800,
    })
    expect(channelState({ ...enabled, health: { ...health, state: 'half-open' } })).toMatchObject({
      word: 'probing',
    })
  })

  it('reads what other versions left in other_info as nothing', () => {
    expect(readOtherInfo('')).toEqual({ reason: '', time: 0 })
    expect(readOtherInfo('null')).toEqual({ reason: '', time: 0 })
    expect(readOtherInfo('{"status_reason":5}')).toEqual({ reason: '', time: 0 })
  })
})

describe('figures of a channel', () => {
  it('puts response times into the tiers of the specification', () => {
    expect([0, 1, 1000, 1001, 3000, 3001, 5000, 5001].map(responseTier)).toEqual([
      'untested',
      'fast',
      'fast',
      'fair',
      'fair',
      'slow',
      'slow',
      'very-slow',
    ])
  })

  it('lists the default group first', () => {
    expect(groupsOf('vip, default,svip')).toEqual(['default', 'vip', 'svip'])
    expect(groupsOf('')).toEqual([])
  })
})
