import { describe, expect, it } from 'bun:test'
import { channelProblem } from './channel-problem.ts'

const none = { reason: '', reason_code: '', reason_params: {}, retry_at: 0 }
const health = {
  ...none,
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
const well = { status: 1, other_info: '', health }

describe('what is wrong with a channel', () => {
  it('is nothing when it responds, or when a person disabled it', () => {
    expect(channelProblem(well, 'en')).toBeUndefined()
    expect(channelProblem({ ...well, status: 2 }, 'en')).toBeUndefined()
  })

  it('is said in the language of the reader when the gateway switched it off', () => {
    const other_info = JSON.stringify({
      status_reason: 'the key was refused (status 401)',
      reason_code: 'key_refused',
      reason_params: { status: 401 },
    })
    const off = { ...well, status: 3, other_info }
    expect(channelProblem(off, 'en')).toMatchObject({
      word: 'off',
      reason: 'the key was refused (status 401)',
    })
    expect(channelProblem(off, 'zh')?.reason).toBe('密钥被拒绝（状态码 401）')
  })

  it('keeps the words of a version that wrote no code', () => {
    const off = { ...well, status: 3, other_info: JSON.stringify({ status_reason: 'quota gone' }) }
    expect(channelProblem(off, 'zh')?.reason).toBe('quota gone')
  })

  it('is the last failure where no success came after it', () => {
    const failing = { ...health, last_failure_time: 200, last_failure_code: 'timeout' }
    expect(channelProblem({ ...well, health: failing }, 'en')).toMatchObject({
      word: 'failing',
      tone: 'warn',
      reason: 'did not respond in time',
    })
    const recovered = { ...failing, last_success_time: 300 }
    expect(channelProblem({ ...well, health: recovered }, 'en')).toBeUndefined()
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
    const some = { ...well, health: { ...health, keys: good ? [good, out] : [] } }
    expect(channelProblem(some, 'en')).toMatchObject({ word: 'keys', reason: 'key refused' })
    const all = { ...well, health: { ...health, keys: [out] } }
    expect(channelProblem(all, 'en')).toMatchObject({ word: 'noKeys', tone: 'bad', retryAt: 900 })
  })

  it('is that it has never answered', () => {
    const unused = { ...health, last_success_time: 0, never_answered: true }
    expect(channelProblem({ ...well, health: unused }, 'en')).toMatchObject({
      word: 'unused',
      tone: 'neutral',
    })
  })

  it('is a rest, with the time when it is tried again', () => {
    const resting = { ...health, state: 'open' as const, reason_code: 'overloaded', retry_at: 900 }
    expect(channelProblem({ ...well, health: resting }, 'en')).toMatchObject({
      word: 'resting',
      reason: 'overloaded',
      retryAt: 900,
    })
  })
})
