import { describe, expect, it } from 'bun:test'
import { pageOf } from './page.ts'

const bars = (lines: number, share = 0.72) => [
  { name: 'source lines', value: lines },
  { name: 'test lines to source lines', value: share, min: 0.7 },
]

describe('the page of the measures', () => {
  const page = pageOf(bars(213_964))

  it('has round figures with their bounds', () => {
    expect(page).toContain('| source lines                              |  210,000 |          |')
    expect(page).toContain('| test lines to source lines                |     0.72 | ≥ 0.7    |')
  })

  it('stays while its figures are near, and is stale when one is off by a tenth, missing or left over', () => {
    expect(pageOf(bars(225_000, 0.75), page)).toBe(page)
    expect(pageOf(bars(240_000), page)).not.toBe(page)
    expect(pageOf(bars(213_964).slice(1), page)).not.toBe(page)
    expect(pageOf([...bars(213_964), { name: 'test files', value: 3 }], page)).not.toBe(page)
    expect(pageOf(bars(213_964), page.replace('scripts/stats', 'stats'))).not.toBe(
      page.replace('scripts/stats', 'stats'),
    )
  })
})
