import { describe, expect, it } from 'bun:test'
import { minTransfer, transferProblem } from './transfer.ts'

const currency = { quotaPerUnit: 500_000, inCurrency: true }

describe('a transfer of earnings', () => {
  it('is at least one unit of currency, in whole quota', () => {
    expect(minTransfer({ quotaPerUnit: 0.5, inCurrency: true })).toBe(1)
    expect(transferProblem(499_999, 9_000_000, currency)).toBe('tooLittle')
    expect(transferProblem(undefined, 9_000_000, currency)).toBe('tooLittle')
    expect(transferProblem(500_000, 9_000_000, currency)).toBeUndefined()
  })

  it('is never more than was earned', () => {
    expect(transferProblem(500_001, 500_000, currency)).toBe('tooMuch')
  })
})
