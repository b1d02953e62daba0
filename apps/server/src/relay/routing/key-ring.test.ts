import { describe, expect, it } from 'bun:test'
import { routedChannel } from '../../channels/test-support/routed-channel.ts'
import { createKeyRing } from './key-ring.ts'

const allWell = { admits: () => true }

describe('KeyRing', () => {
  it('uses the keys of a channel in turn', () => {
    const ring = createKeyRing(allWell)
    const channel = routedChannel({ id: 1, keys: ['a', 'b', 'c'] })
    expect([1, 2, 3, 4].map(() => ring.pick(channel, 'm'))).toEqual([0, 1, 2, 0])
  })

  it('never picks a disabled key, a key at rest, or one already tried', () => {
    const ring = createKeyRing({ admits: (_, index) => index !== 1 })
    const channel = routedChannel({
      id: 1,
      keys: ['a', 'b', 'c', 'd'],
      disabledKeys: new Map([[0, { reason: 'revoked', at: 0 }]]),
    })
    expect(ring.pick(channel, 'm', new Set([2]))).toBe(3)
    expect(ring.pick(channel, 'm', new Set([2, 3]))).toBeUndefined()
  })

  it('gives a resting key where there is nothing better, but never a disabled one', () => {
    const ring = createKeyRing({ admits: () => false })
    const channel = routedChannel({
      id: 1,
      keys: ['a', 'b'],
      disabledKeys: new Map([[0, { reason: 'x', at: 0 }]]),
    })
    expect(ring.pick(channel, 'm')).toBeUndefined()
    expect(ring.pickCooling(channel)).toBe(1)
  })
})
