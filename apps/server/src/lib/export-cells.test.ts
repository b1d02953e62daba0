import { expect, it } from 'bun:test'
import { moneyCells, moneyHeaders } from './export-cells.ts'

it('writes an amount in currency without rounding errors, and in units beside it', () => {
  expect(moneyHeaders('charge', 'en')).toEqual(['Amount (USD)', 'Amount (units)'])
  expect(moneyCells(150_001, 500_000)).toEqual([0.300002, 150_001])
  expect(moneyCells(-1, 3)).toEqual([-0.3333333333, -1])
  expect(moneyCells(9_007_199_254_740_991, 500_000)).toEqual([18_014_398_509.481983, 9_007_199_254_740_991])
  expect(moneyCells(null, 500_000)).toEqual(['', ''])
})
