import { describe, expect, it } from 'bun:test'
import { rankedSeries, valuesOf } from './series.ts'

describe('series', () => {
  it('are ranked by size, and by name where that is the same', () => {
    const series = rankedSeries(
      new Map([
        ['b', 1],
        ['a', 1],
        ['c', 5],
      ]),
    )
    expect(series.map(({ name }) => name)).toEqual(['c', 'a', 'b'])
    expect(series[0]?.color).toBe('var(--series-1)')
  })

  it('are eight at most: the last is everything that has no colour of its own', () => {
    const totals = new Map(Array.from({ length: 12 }, (_, index) => [`m${index}`, 100 - index] as const))
    const series = rankedSeries(totals)
    expect(series).toHaveLength(8)
    expect(series.at(-1)).toEqual({ name: undefined, color: 'var(--series-8)' })
    const values = valuesOf(series, totals)
    expect(values.reduce((a, b) => a + b)).toBe([...totals.values()].reduce((a, b) => a + b))
    expect(values.at(-1)).toBe(93 + 92 + 91 + 90 + 89)
  })

  it('have a nought where a step has nothing of them', () => {
    const series = rankedSeries(
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    )
    expect(valuesOf(series, new Map([['b', 1]]))).toEqual([0, 1])
  })
})
