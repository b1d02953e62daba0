import { describe, expect, it } from 'bun:test'
import type { ChannelCondition } from '@tollgate/api'
import { channelProblem } from './channel-problem.ts'

const none = { reason: '', reason_code: '', reason_params: {}, retry_at: 0 }
const health = {
  ...none,
  condition: 'healthy' as ChannelCondition,
  last_hour: { ok: 0, failed: 0, other_failures: 0, latency_ms: 0 },
  state: 'closed' as const,
  error_rate: 0,
  last_success_time: 100,
  last_failure_time: 0,
  last_failure_code: '',
  last_failure_params: {},
  never_answered: false,
  recent_ms: [],
  keys: [{ ...none, disabled_at: 0, index: 0, hint: 'sk-***abc', status: 'enabled' as const }],
}
const well = { other_info: '', health }
const withHealth = (condition: ChannelCondition, more: Partial<typeof health> = {}) => ({
  ...well,
  health: { ...health, condition, ...more },
})

describe('what is wrong with a channel', () => {
  it('is nothing when it responds, or when a person disabled it', () => {
    expect(channelProblem(well, 'en')).toBeUndefined()
    expect(channelProblem(withHealth('disabled'), 'en')).toBeUndefined()
  })

  it('is said in the language of the reader when the gateway switched it off', () => {
    const other_info = JSON.stringify({
      status_reason: 'the key was refused (status 401)',
      reason_code: 'key_refused',
      reason_params: { status: 401 },
    })
    const off = { ...withHealth('auto-disabled'), other_info }
    expect(channelProblem(off, 'en')?.reason).toBe('the key was refused (status 401)')
    expect(channelProblem(off, 'zh')?.reason).toBe('密钥被拒绝（状态码 401）')
  })

  it('keeps the words of a version that wrote no code', () => {
    const off = {
      ...withHealth('auto-disabled'),
      other_info: JSON.stringify({ status_reason: 'quota gone' }),
    }
    expect(channelProblem(off, 'zh')?.reason).toBe('quota gone')
  })

  it('is its last failure where no cooldown has a reason', () => {
    const failing = withHealth('failing', { last_failure_time: 200, last_failure_code: 'timeout' })
    expect(channelProblem(failing, 'en')?.reason).toBe('did not respond in time')
  })

  it('is its keys, when some or all of them are out of service', () => {
    const [good] = health.keys
    const out = {
      ...none,
      index: 1,
      hint: '',
      status: 'resting' as const,
      reason_code: 'unauthorized',
      disabled_at: 0,
      retry_at: 900,
    }
    const some = withHealth('degraded', { keys: (good ? [good, out] : []) as typeof health.keys })
    expect(channelProblem(some, 'en')).toMatchObject({ reason: 'key refused', retryAt: 0 })
    const all = withHealth('retrying', { keys: [out] as unknown as typeof health.keys })
    expect(channelProblem(all, 'en')).toMatchObject({ reason: 'key refused', retryAt: 900 })
  })

  it('has no reason where nothing was tried', () => {
    expect(channelProblem(withHealth('untested'), 'en')).toMatchObject({ condition: 'untested', reason: '' })
  })

  it('is a cooldown, with the time when it is tried again', () => {
    const cooling = withHealth('retrying', { reason_code: 'overloaded', retry_at: 900 })
    expect(channelProblem(cooling, 'en')).toMatchObject({ reason: 'overloaded', retryAt: 900 })
  })
})
