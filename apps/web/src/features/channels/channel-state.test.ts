import { describe, expect, it } from 'bun:test'
import { channelState, groupsOf, readOtherInfo, responseTier } from './channel-state.ts'
import { noReason, reasonText } from './reason-text.ts'

const healthy = {
  state: 'closed' as const,
  error_rate: 0,
  reason: '',
  reason_code: '',
  reason_params: {},
  last_success_time: 1600,
  last_failure_time: 0,
  last_failure_code: '',
  last_failure_params: {},
  never_answered: false,
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
      disabled_at: 0,
      retry_at: 0,
    },
  ],
}
const enabled = { status: 1, other_info: '', health: healthy, key_count: 1 }

describe('state of a channel', () => {
  it('is the status while nothing is wrong', () => {
    expect(channelState(enabled)).toMatchObject({ word: 'enabled', tone: 'good', reason: noReason })
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
      reason: { reason: 'the key was refused (status 401)', reason_code: '' },
      since: 1700,
    })
  })

  it('does not show an old reason of a channel that is back in service', () => {
    const other_info = JSON.stringify({ status_reason: 'passed a test', status_time: 1700 })
    expect(channelState({ ...enabled, other_info })).toMatchObject({
      word: 'enabled',
      reason: noReason,
      since: 0,
    })
  })

  it('rests while its breaker is open, and says until when', () => {
    const health = { ...healthy, state: 'open' as const, reason: 'rate limited', retry_at: 1800 }
    expect(channelState({ ...enabled, health })).toMatchObject({
      word: 'resting',
      reason: { reason: 'rate limited' },
      retryAt: 1800,
    })
    expect(channelState({ ...enabled, health: { ...health, state: 'half-open' } })).toMatchObject({
      word: 'probing',
    })
  })

  it('reads what other versions left in other_info as nothing', () => {
    expect(readOtherInfo('')).toEqual({ ...noReason, time: 0 })
    expect(readOtherInfo('null')).toEqual({ ...noReason, time: 0 })
    expect(readOtherInfo('{"status_reason":5}')).toEqual({ ...noReason, time: 0 })
  })
})

describe('what calls say of a channel', () => {
  it('is never good before one was answered', () => {
    const health = { ...healthy, last_success_time: 0, never_answered: true }
    expect(channelState({ ...enabled, health })).toMatchObject({ word: 'untried', tone: 'neutral' })
    const failed = { ...health, last_failure_time: 1700, last_failure_code: 'unauthorized' }
    expect(channelState({ ...enabled, health: failed })).toMatchObject({ word: 'failing', tone: 'warn' })
  })

  it('is failing while the last of them failed, and why', () => {
    const health = {
      ...healthy,
      last_failure_time: 1700,
      last_failure_code: 'rate_limited',
      last_failure_params: { status: 429 },
    }
    const { word, reason, since } = channelState({ ...enabled, health })
    expect({ word, since }).toEqual({ word: 'failing', since: 1700 })
    expect(reasonText(reason, 'en')).toBe('rate limited (status 429)')
    expect(reasonText(reason, 'zh')).toBe('被限流（状态码 429）')
  })

  it('names a reason of an older version by its text', () => {
    expect(reasonText({ ...noReason, reason: 'out of order' }, 'zh')).toBe('out of order')
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
