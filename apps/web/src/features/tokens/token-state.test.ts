import { describe, expect, it } from 'bun:test'
import { expiresSoon, limitedModels, stateOf, wasUsed } from './token-state.ts'

describe('state of a key', () => {
  it('is named, and what is not known counts as disabled', () => {
    expect([1, 2, 3, 4, 9].map((status) => stateOf({ status }))).toEqual([
      'enabled',
      'disabled',
      'expired',
      'exhausted',
      'disabled',
    ])
  })

  it('tells limits from their absence', () => {
    expect(limitedModels({ model_limits_enabled: false, model_limits: 'a,b' })).toBeUndefined()
    expect(limitedModels({ model_limits_enabled: true, model_limits: 'a, b,' })).toEqual(['a', 'b'])
    expect(limitedModels({ model_limits_enabled: true, model_limits: '' })).toEqual([])
  })

  it('says three days before that a key which works expires', () => {
    const soon = (expired_time: number, status = 1) => expiresSoon({ status, expired_time }, 1000)
    expect([soon(1000 + 3 * 86_400), soon(1001 + 3 * 86_400), soon(-1), soon(2000, 2)]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('counts a key as used only after its creation', () => {
    expect(wasUsed({ created_time: 100, accessed_time: 100, used_quota: 0 })).toBe(false)
    expect(wasUsed({ created_time: 100, accessed_time: 101, used_quota: 0 })).toBe(true)
    expect(wasUsed({ created_time: 100, accessed_time: 100, used_quota: 36 })).toBe(true)
  })
})
