import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { missingRanges, parseBound, partitionName, type Range, startOf } from './ranges.ts'

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const range = (from: string, to: string): Range => ({ from: at(`${from}T00:00`), to: at(`${to}T00:00`) })

describe('partitions of the log', () => {
  it('are months or days, and need none where some exist', () => {
    const week = range('2026-11-28', '2026-12-05')
    const months = [range('2026-11-01', '2026-12-01'), range('2026-12-01', '2027-01-01')]
    expect(missingRanges([], week, 'month')).toEqual(months)
    expect(missingRanges(months, week, 'month')).toEqual([])
    expect(missingRanges(months.slice(0, 1), range('2026-11-30', '2026-12-02'), 'day')).toEqual([
      range('2026-12-01', '2026-12-02'),
      range('2026-12-02', '2026-12-03'),
    ])
  })

  it('fit in between partitions of another width', () => {
    const existing = [range('2026-11-20', '2026-11-21'), range('2026-11-28', '2026-11-29')]
    expect(missingRanges(existing, range('2026-11-21', '2026-11-30'), 'month')).toEqual([
      range('2026-11-21', '2026-11-28'),
      range('2026-11-29', '2026-12-01'),
    ])
  })

  it('cover every time and never overlap, whatever exists', () => {
    const day = 86_400
    const cuts = fc.uniqueArray(fc.integer({ min: 20_000, max: 20_120 }), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, fc.constantFrom('day' as const, 'week' as const, 'month' as const), (days, width) => {
        const sorted = days.toSorted((a, b) => a - b)
        const existing = sorted
          .slice(1)
          .flatMap((to, index) =>
            index % 2 === 0 ? [{ from: (sorted[index] ?? 0) * day, to: to * day }] : [],
          )
        const wanted = { from: 20_010 * day, to: 20_100 * day + 5 }
        const all = [...existing, ...missingRanges(existing, wanted, width)].toSorted(
          (a, b) => a.from - b.from,
        )
        for (const [index, { from, to }] of all.entries()) {
          expect(to).toBeGreaterThan(from)
          expect(all[index + 1]?.from ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(to)
        }
        for (let time = wanted.from; time <= wanted.to; time += day)
          expect(all.some(({ from, to }) => from <= time && time < to)).toBe(true)
      }),
    )
  })

  it('have names that tell them apart', () => {
    expect(partitionName(range('2026-12-01', '2027-01-01'))).toBe('logs_2026_12')
    expect(partitionName(range('2026-12-01', '2026-12-02'))).toBe('logs_2026_12_01')
    expect(partitionName(range('2026-11-21', '2026-12-01'))).toBe('logs_2026_11_21')
  })

  it('are read from their bounds', () => {
    expect(parseBound("FOR VALUES FROM ('1748736000') TO ('1751328000')")).toEqual({
      from: 1_748_736_000,
      to: 1_751_328_000,
    })
    expect(parseBound('DEFAULT')).toBeUndefined()
  })

  it('begin at midnight UTC', () => {
    expect(startOf('day', at('2026-11-25T22:36'))).toBe(at('2026-11-25T00:00'))
    expect(startOf('week', at('2026-11-25T22:36'))).toBe(at('2026-11-23T00:00'))
    expect(startOf('week', at('2026-11-29T22:36'))).toBe(at('2026-11-23T00:00'))
    expect(startOf('month', at('2026-11-25T22:36'))).toBe(at('2026-11-01T00:00'))
  })
})
