import { expect, it } from 'bun:test'
import { lastMonths, monthName } from './months.ts'

it('counts months back over the end of a year, and names them', () => {
  expect(lastMonths(new Date(2026, 0, 31), 3)).toEqual(['2026-01', '2025-12', '2025-11'])
  expect(monthName('2026-11', 'en')).toBe('November 2026')
  expect(monthName('2026-11', 'zh')).toBe('2026年11月')
})
