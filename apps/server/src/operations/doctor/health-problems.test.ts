import { describe, expect, it } from 'bun:test'
import type { LedgerFigures } from '../../billing/ledger-types.ts'
import { describeProblem, healthProblems } from './health-problems.ts'

const figures: LedgerFigures = {
  openReservations: 0,
  queue: 0,
  journalLag: 0,
  isFlushing: true,
  flushFault: undefined,
  users: 0,
  tokens: 0,
  hasLease: true,
}
const damage = { foundMs: 1, message: 'malformed' }

function textsOf(
  change: Partial<LedgerFigures>,
  kind: 'sqlite' | 'postgres' = 'sqlite',
  found?: typeof damage,
) {
  const problems = healthProblems({ kind, damage: () => found }, { figures: { ...figures, ...change } })
  return problems.map(describeProblem)
}

describe('healthProblems', () => {
  it('are none while the database takes what is settled', () => {
    expect(textsOf({})).toEqual([])
    expect(textsOf({ journalLag: 20_000 })).toEqual([])
    // A database that refused something takes the rest.
    expect(textsOf({ isFlushing: false })).toEqual([])
  })

  it('name damage first, each with one step to take', () => {
    expect(textsOf({ isFlushing: false, journalLag: 12 }, 'sqlite', damage)).toEqual([
      expect.stringContaining('stop the gateway and run tollgate repair'),
      expect.stringContaining('12 settled calls wait in the journal'),
    ])
    expect(textsOf({}, 'postgres', damage)).toEqual([expect.not.stringContaining('tollgate repair')])
  })

  it('tell a journal that grows from one that waits', () => {
    expect(textsOf({ journalLag: 100_000 })).toEqual([expect.stringContaining('more slowly than they come')])
    expect(textsOf({ journalLag: 100_000, isFlushing: false })).toEqual([
      expect.stringContaining('does not take them'),
    ])
  })
})
