import { describe, expect, it } from 'bun:test'
import { createSlidingWindow } from './sliding-window.ts'

function setUp(options: { limit: number; windowSeconds: number; maxKeys?: number }) {
  const state = { time: 0 }
  return { state, window: createSlidingWindow({ ...options, clock: { now: () => state.time } }) }
}

describe('sliding window', () => {
  it('admits exactly the limit at once, per key', () => {
    const { window } = setUp({ limit: 3, windowSeconds: 10 })
    expect([1, 2, 3, 4].map(() => window.take('a'))).toEqual([true, true, true, false])
    expect(window.take('b')).toBe(true)
  })

  it('admits about the limit per window under a steady flood', () => {
    const { window, state } = setUp({ limit: 100, windowSeconds: 10 })
    let admitted = 0
    // A steady flood of 100 tries per second for one minute.
    for (state.time = 0; state.time < 60_000; state.time += 10) if (window.take('a')) admitted++
    expect(admitted).toBeGreaterThanOrEqual(550)
    expect(admitted).toBeLessThanOrEqual(700)
  })

  it('does not extend the wait of a refused caller', () => {
    const { window, state } = setUp({ limit: 2, windowSeconds: 10 })
    window.take('a')
    window.take('a')
    for (let refused = 0; refused < 100; refused++) window.take('a')
    expect(window.isSpent('a')).toBe(true)
    state.time = 20_000
    expect(window.take('a')).toBe(true)
  })

  it('returns the wait until the next use, and admits it then', () => {
    const { window, state } = setUp({ limit: 4, windowSeconds: 60 })
    for (let used = 0; used < 4; used++) window.take('a')
    state.time = 5_000
    const wait = window.retryAfterSeconds('a')
    state.time += (wait - 1) * 1000
    expect(window.isSpent('a')).toBe(true)
    state.time += 1000
    expect(window.take('a')).toBe(true)
  })

  it('tracks a bounded number of keys', () => {
    const { window } = setUp({ limit: 1, windowSeconds: 10, maxKeys: 3 })
    for (const key of ['a', 'b', 'c', 'd']) window.take(key)
    expect(window.isSpent('a')).toBe(false)
    expect(window.isSpent('d')).toBe(true)
  })
})
