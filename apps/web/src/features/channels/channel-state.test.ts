import { describe, expect, it } from 'bun:test'
import type { ChannelCondition } from '@tollgate/api'
import { channelState, groupsOf, readOtherInfo, responseOf, responseTier } from './channel-state.ts'
import { noReason, reasonText } from './reason-text.ts'

const healthy = {
  condition: 'healthy' as ChannelCondition,
  last_hour: { ok: 0, failed: 0, other_failures: 0, latency_ms: 0 },
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
const enabled = { other_info: '', health: healthy, key_count: 1 }

describe('state of a channel', () => {
  it('has nothing to explain while nothing is wrong', () => {
    expect(channelState(enabled)).toMatchObject({ condition: 'healthy', reason: noReason, retryAt: 0 })
  })

  it('names reason and time of an automatic disabling', () => {
    const other_info = JSON.stringify({
      status_reason: 'the key was refused (status 401)',
      status_time: 1700,
    })
    const health = { ...healthy, condition: 'auto-disabled' as const }
    expect(channelState({ ...enabled, health, other_info })).toMatchObject({
      reason: { reason: 'the key was refused (status 401)', reason_code: '' },
      since: 1700,
    })
  })

  it('does not show an old reason of a channel that is back in service', () => {
    const other_info = JSON.stringify({ status_reason: 'passed a test', status_time: 1700 })
    expect(channelState({ ...enabled, other_info })).toMatchObject({ reason: noReason, since: 0 })
  })

  it('says until when it is in cooldown, and whether single calls test it', () => {
    const cooling = { ...healthy, condition: 'retrying', reason: 'rate limited', retry_at: 1800 } as const
    expect(channelState({ ...enabled, health: { ...cooling, state: 'open' as const } })).toMatchObject({
      reason: { reason: 'rate limited' },
      retryAt: 1800,
      isProbed: false,
    })
    expect(channelState({ ...enabled, health: { ...cooling, state: 'half-open' as const } }).isProbed).toBe(
      true,
    )
  })

  it('reads what other versions left in other_info as nothing', () => {
    expect(readOtherInfo('')).toEqual({ ...noReason, time: 0 })
    expect(readOtherInfo('null')).toEqual({ ...noReason, time: 0 })
    expect(readOtherInfo('{"status_reason":5}')).toEqual({ ...noReason, time: 0 })
  })
})

describe('what calls say of a channel', () => {
  it('is why the last of them failed', () => {
    const health = {
      ...healthy,
      condition: 'failing' as const,
      last_failure_time: 1700,
      last_failure_code: 'rate_limited',
      last_failure_params: { status: 429 },
    }
    const { reason, since } = channelState({ ...enabled, health })
    expect(since).toBe(1700)
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

  it('shows calls before tests, and a failed test before both until a call succeeds', () => {
    const hour = { ok: 4, failed: 0, other_failures: 0, latency_ms: 300 }
    const none = { ...healthy, last_success_time: 0 }
    const channel = { response_time: 2, test_time: 1000, test_failure: null, health: healthy }
    const failed = { ...channel, test_failure: { code: 'unauthorized', params: { status: 401 } } }
    const live = { ...healthy, last_hour: hour }
    expect(responseOf({ ...channel, health: live })).toEqual({ kind: 'live', ms: 300 })
    expect(responseOf(channel)).toEqual({ kind: 'tested', ms: 2 })
    expect(responseOf({ ...failed, health: none })).toMatchObject({ kind: 'test-failed', status: 401 })
    expect(responseOf({ ...failed, health: live })).toMatchObject({ kind: 'live' })
    expect(responseOf({ ...failed, test_time: 1700, health: live })).toMatchObject({ kind: 'test-failed' })
    const untested = { ...channel, response_time: 0, test_time: 0 }
    expect(responseOf(untested)).toEqual({ kind: 'idle' })
    expect(responseOf({ ...untested, health: none })).toEqual({ kind: 'untested' })
    const unresponsive = { ...none, last_hour: { ...hour, ok: 0, failed: 3 } }
    expect(responseOf({ ...untested, health: unresponsive })).toEqual({ kind: 'no-response' })
  })

  it('lists the default group first', () => {
    expect(groupsOf('vip, default,svip')).toEqual(['default', 'vip', 'svip'])
    expect(groupsOf('')).toEqual([])
  })
})
