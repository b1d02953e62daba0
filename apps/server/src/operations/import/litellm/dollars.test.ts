import { describe, expect, it } from 'bun:test'
import { Dollars } from './dollars.ts'

describe('dollars of floating numbers', () => {
  it('become quota in exact decimals, half up, and the differences are summed', () => {
    const dollars = new Dollars()
    expect(dollars.quotaOf(0.1, 500_000)).toBe(50_000)
    // 0.617283 + … : 617,283.5 exactly, where floating numbers have 617283.4999….
    expect(dollars.quotaOf(1.234567, 500_000)).toBe(617_284)
    expect(dollars.quotaOf(1e-7, 500_000)).toBe(0)
    expect(dollars.quotaOf(0.000001, 500_000)).toBe(1)
    expect(dollars.quotaOf(123_456_789.123456, 500_000)).toBe(61_728_394_561_728)
    expect(dollars.remark).toContain('5 amounts')
    expect(dollars.remark).toContain('come to 0.95')
  })
})
