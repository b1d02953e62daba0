import { describe, expect, it } from 'bun:test'
import { formatMarginRate, marginOf, marginRate } from './margin.ts'

const sums = { calls: 10, quota: 1000, costed_calls: 8, costed_quota: 800, cost: 600 }

describe('a margin', () => {
  it('is over the calls whose cost is known, and says how many those are', () => {
    expect(marginOf(sums)).toEqual({ margin: 200, rate: 0.25, known: 0.8 })
  })

  it('is a loss where calls cost more than they were charged', () => {
    expect(marginOf({ ...sums, cost: 1000 })).toEqual({ margin: -200, rate: -0.25, known: 0.8 })
  })

  it('has no rate where nothing was charged, and is none where no cost is known', () => {
    expect(marginOf({ ...sums, costed_quota: 0 })).toEqual({ margin: -600, rate: undefined, known: 0.8 })
    expect(marginOf({ ...sums, costed_calls: 0, costed_quota: 0, cost: 0 })).toBeUndefined()
    expect(marginRate(0, 0)).toBeUndefined()
  })

  it('is written with a minus sign for a loss, and without end for a loss beyond measure', () => {
    expect([0.345, 0.05, 0, -0.25, -50].map(formatMarginRate)).toEqual([
      '35\u00a0%',
      '5\u00a0%',
      '0\u00a0%',
      '-25\u00a0%',
      '< -999\u00a0%',
    ])
  })
})
