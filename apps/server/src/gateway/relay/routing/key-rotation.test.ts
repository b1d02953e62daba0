import { describe, expect, it } from 'bun:test'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import { createKeyRotation } from './key-rotation.ts'

const allWell = { admits: () => true }

describe('KeyRing', () => {
  it('uses the keys of a channel in turn', () => {
    const ring = createKeyRotation(allWell)
    const channel = routedChannel({ id: 1, keys: ['a', 'b', 'c'] })
    expect([1, 2, 3, 4].map(() => ring.pick(channel, 'm'))).toEqual([0, 1, 2, 0])
  })

  it('never picks a disabled key, a key at rest, or one already tried', () => {
    const ring = createKeyRotation({ admits: (_, index) => index !== 1 })
    const channel = routedChannel({
      id: 1,
      keys: ['a', 'b', 'c', 'd'],
      disabledKeys: new Map([[0, { reason: 'revoked', at: 0 }]]),
    })
    expect(ring.pick(channel, 'm', new Set([2]))).toBe(3)
    expect(ring.pick(channel, 'm', new Set([2, 3]))).toBeUndefined()
  })

  it('gives a resting key where there is nothing better, but never a disabled one', () => {
    const ring = createKeyRotation({ admits: () => false })
    const channel = routedChannel({
      id: 1,
      keys: ['a', 'b'],
      disabledKeys: new Map([[0, { reason: 'x', at: 0 }]]),
    })
    expect(ring.pick(channel, 'm')).toBeUndefined()
    expect(ring.pickCooling(channel)).toBe(1)
  })
})

describe('the keys of a session', () => {
  const channel = routedChannel({ id: 1, keys: ['a', 'b', 'c', 'd', 'e'] })

  it('are the same each time, spread over all, and the next best while the own one cools down', () => {
    const cooling = new Set<number>()
    const ring = createKeyRotation({ admits: (_channel, index) => !cooling.has(index) })
    const used = new Set<number | undefined>()
    for (let seed = 1; seed < 200; seed += 1) {
      const own = ring.pick(channel, 'm', undefined, seed)
      used.add(own)
      expect(ring.pick(channel, 'm', undefined, seed)).toBe(own)
      cooling.add(own ?? -1)
      const other = ring.pick(channel, 'm', undefined, seed)
      expect(other).not.toBe(own)
      expect(ring.pick(channel, 'm', undefined, seed)).toBe(other)
      cooling.clear()
    }
    expect(used.size).toBe(5)
  })
})
