import { describe, expect, it } from 'bun:test'
import { decimal, decimalText, dividedBy, plus, rounded, times, truncated } from './decimal.ts'

describe('decimals', () => {
  it('are what was written, in whatever notation', () => {
    expect(decimalText(decimal(0.1))).toBe('0.1')
    expect(decimalText(decimal(1e21))).toBe('1,000,000,000,000,000,000,000')
    expect(decimalText(decimal(2.5e-7))).toBe('0.00000025')
    expect(decimalText(decimal(-1234.5))).toBe('-1,234.5')
    expect(decimalText(decimal(Number.NaN))).toBe('0')
  })

  it('add and multiply without bending', () => {
    expect(decimalText(plus(decimal(0.1), decimal(0.2)))).toBe('0.3')
    expect(decimalText(times(decimal(1.1), decimal(1.1), decimal(10)))).toBe('12.1')
    expect(decimalText(plus())).toBe('0')
  })

  it('round half away from zero', () => {
    expect([0.49, 0.5, 1.5, 2.5, -0.5, -0.49].map((value) => rounded(decimal(value)))).toEqual([
      0, 1, 2, 3, -1, 0,
    ])
    expect(truncated(decimal(1.99))).toBe(1)
  })

  it('show at least the decimals asked for', () => {
    expect(decimalText(decimal(2.5), 2)).toBe('2.50')
    expect(decimalText(decimal(0.0001234567), 6)).toBe('0.0001234567')
    expect(decimalText(decimal(3), 2)).toBe('3.00')
  })

  it('divide exactly where that is possible, and round where it is not', () => {
    expect(decimalText(dividedBy(decimal(0.38), 500_000, 12))).toBe('0.00000076')
    expect(decimalText(dividedBy(decimal(1), 3, 4))).toBe('0.3333')
    expect(decimalText(dividedBy(decimal(2), 3, 4))).toBe('0.6667')
    expect(decimalText(dividedBy(decimal(2), 0, 4))).toBe('0')
  })
})
