import { describe, expect, it } from 'bun:test'
import { dailyQuota, spentSince } from './daily.ts'

const now = new Date(2026, 10, 21, 16, 40, 30)
const day = (date: number) => Math.floor(new Date(2026, 10, date).getTime() / 1000)

describe('spend by day', () => {
  it('has 30 days with today last, and nothing for days without a call', () => {
    const daily = dailyQuota(
      [
        { at: day(19), count: 1, quota: 5 },
        { at: day(20), count: 1, quota: 7 },
        { at: day(21), count: 1, quota: 11 },
      ],
      now,
    )
    expect(daily).toHaveLength(30)
    expect(daily.slice(-4)).toEqual([0, 5, 7, 11])
    expect([1, 7, 30].map((days) => spentSince(daily, days))).toEqual([11, 23, 23])
  })
})
