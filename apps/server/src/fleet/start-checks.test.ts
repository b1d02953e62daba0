import { describe, expect, it } from 'bun:test'
import { refuseUnfitNode } from './start-checks.ts'

const minute = 60_000
const databaseMs = 1_764_000_000_000

function started(aheadMs: number, kind: 'postgres' | 'sqlite' = 'postgres') {
  const store = {
    kind,
    nodes: { now: async () => databaseMs },
  }
  return refuseUnfitNode({
    store: store as unknown as Parameters<typeof refuseUnfitNode>[0]['store'],
    clock: { now: () => databaseMs + aheadMs },
  }).then(
    () => 'started',
    (error: Error) => error.message,
  )
}

describe('a start on a shared database', () => {
  it('takes clocks that are some minutes apart, and refuses others with the direction', async () => {
    expect(await started(90_000)).toBe('started')
    expect(await started(-4 * minute)).toBe('started')
    expect(await started(7 * minute)).toContain('7 minutes ahead of that of the database')
    expect(await started(-60 * minute)).toContain('60 minutes behind that of the database')
  })

  it('asks no clock where the database is a file', async () => {
    expect(await started(-60 * minute, 'sqlite')).toBe('started')
  })
})
