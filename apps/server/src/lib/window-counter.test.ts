import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { countInView, msUntilRoom, WindowCounter } from './window-counter.ts'

describe('a sliding window', () => {
  it('weighs the last window by what is in view of it, and forgets the one before', () => {
    const counter = new WindowCounter(1000)
    counter.add(10, 5100)
    expect([5900, 6000, 6500, 6900, 7000].map((now) => countInView(counter.counts(now)))).toEqual([
      10, 10, 5, 0.9999999999999998, 0,
    ])
    expect(counter.isIdle(7000)).toBe(true)
  })

  it('takes back from the window that was counted in, never below zero', () => {
    const counter = new WindowCounter(1000)
    const number = counter.add(3, 5100)
    counter.takeBack(2, number, 6000)
    expect(counter.counts(6000)).toMatchObject({ current: 0, previous: 1 })
    counter.takeBack(5, number, 6000)
    counter.takeBack(5, number, 9000)
    expect(counter.counts(9000)).toMatchObject({ current: 0, previous: 0 })
  })

  it('starts anew neither when the clock is set back a little, nor holds when it is set back for long', () => {
    const counter = new WindowCounter(1000)
    counter.add(4, 9100)
    expect(countInView(counter.counts(8900))).toBe(4)
    expect(countInView(counter.counts(2000))).toBe(0)
  })

  it('never ends where it is infinite', () => {
    const counter = new WindowCounter(Number.POSITIVE_INFINITY)
    counter.add(2, 0)
    expect(countInView(counter.counts(1e15))).toBe(2)
  })

  it('has room when the wait is over, and not before', () => {
    const counts = fc.record({
      current: fc.nat(500),
      previous: fc.nat(500),
      passedMs: fc.integer({ min: 0, max: 999 }),
      room: fc.nat(400),
    })
    fc.assert(
      fc.property(counts, ({ current, previous, passedMs, room }) => {
        const counter = new WindowCounter(1000)
        counter.add(previous, 4000)
        counter.add(current, 5000 + passedMs)
        const wait = msUntilRoom(counter.counts(5000 + passedMs), room)
        if (wait > 1)
          expect(countInView(counter.counts(5000 + passedMs + wait - 1))).toBeGreaterThan(room - 0.001)
        expect(countInView(counter.counts(5000 + passedMs + wait + 0.001))).toBeLessThanOrEqual(room + 0.001)
      }),
    )
  })
})
