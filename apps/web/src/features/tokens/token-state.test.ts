import { describe, expect, it } from 'bun:test'
import { limitedModels, stateOf, wasUsed } from './token-state.ts'

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

  it('counts a key as used only after its creation', () => {
    expect(wasUsed({ created_time: 100, accessed_time: 100 })).toBe(false)
    expect(wasUsed({ created_time: 100, accessed_time: 101 })).toBe(true)
  })
})
