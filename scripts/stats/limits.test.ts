import { describe, expect, it } from 'bun:test'
import { moduleFigures } from './figures.ts'
import { findFaults, findRaises, fitLimits, type LimitTable } from './limits.ts'

const room = 'apps/server/src/billing'
const measured = (figures: Readonly<Record<string, number>>) => ({ [room]: figures })
const known = () => moduleFigures
const today = { lines: 9000, files: 90, longestFunction: 66, testShare: 0.8, words: 51 }
const limits = fitLimits({}, measured(today), known)
const withWhy = (table: LimitTable, figures: object, why: object): LimitTable => ({
  ...table,
  [room]: { ...table[room], ...figures, why: { ...why } },
})

describe('the limits of a module', () => {
  it('are its figures, round where they change with every line', () => {
    expect(limits).toEqual({
      [room]: { lines: 9200, files: 92, longestFunction: 66, testShare: 0.75, words: 51 },
    })
  })

  it('hold a day of work, and no more', () => {
    expect(findFaults(limits, measured({ ...today, lines: 9150, files: 91 }), known)).toEqual([])
    expect(findFaults(limits, measured({ ...today, lines: 9201 }), known)).toEqual([
      `${room}: 9,201 source lines are over the limit of 9,200: make it smaller, or \`npm run stats -- --write --why "…"\` raises the limit`,
    ])
  })

  it.each(Object.keys(moduleFigures))('hold %s', (key) => {
    const figure = moduleFigures[key]
    const worse = figure?.isLowerBound ? { ...today, [key]: 0.1 } : { ...today, [key]: 20_000 }
    expect(findFaults(limits, measured(worse), known)).toHaveLength(1)
  })

  it('follow what falls', () => {
    const less = measured({ ...today, lines: 7000, words: 10 })
    expect(findFaults(limits, less, known).map((fault) => fault.split(',')[0])).toHaveLength(2)
    const lowered = fitLimits(limits, less, known)
    expect(lowered[room]).toMatchObject({ lines: 7200, files: 92, words: 10 })
    expect(findFaults(lowered, less, known)).toEqual([])
    expect(findRaises(lowered, limits, known)).toEqual([])
  })

  it('rise for a reason alone, which is written beside them', () => {
    const more = measured({ ...today, lines: 9900, longestFunction: 70 })
    expect(fitLimits(limits, more, known)).toEqual(limits)
    const raised = fitLimits(limits, more, known, 'charges are corrected in one place')
    expect(raised[room]).toMatchObject({
      lines: 10_000,
      longestFunction: 70,
      files: 92,
      why: {
        lines: '9,200 → 10,000: charges are corrected in one place',
        longestFunction: '66 → 70: charges are corrected in one place',
      },
    })
    expect(findRaises(raised, limits, known)).toEqual([])
  })

  it('are not raised by hand without a reason, nor with the reason of an earlier raise', () => {
    const silent = withWhy(limits, { lines: 9600 }, {})
    expect(findRaises(silent, limits, known)).toEqual([
      `${room}: source lines go from 9,200 to 9,600: it needs a \`why\` beside it in scripts/stats/limits.json, in the same commit`,
    ])
    const why = { lines: '9,200 → 9,600: a reason' }
    const reasoned = withWhy(limits, { lines: 9600 }, why)
    expect(findRaises(reasoned, limits, known)).toEqual([])
    expect(findRaises(withWhy(limits, { lines: 9900 }, why), reasoned, known)).toHaveLength(1)
    expect(findRaises(withWhy(limits, { testShare: 0.5 }, {}), limits, known)).toHaveLength(1)
    expect(findRaises(withWhy(limits, { words: 60 }, { words: ' ' }), limits, known)).toHaveLength(1)
  })

  it('of a new module have a reason, and those of a module that is gone go', () => {
    const moved = { 'apps/server/src/money': today }
    expect(findFaults(limits, moved, known).at(-1)).toContain(`${room} is gone`)
    const silent = fitLimits({}, moved, known)
    expect(findRaises(silent, limits, known)).toHaveLength(1)
    const reasoned = fitLimits(limits, moved, known, 'billing is named money')
    expect(Object.keys(reasoned)).toEqual(['apps/server/src/money'])
    expect(findRaises(reasoned, limits, known)).toEqual([])
  })
})
