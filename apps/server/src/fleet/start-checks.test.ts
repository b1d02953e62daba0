import { describe, expect, it } from 'bun:test'
import { createVault } from '../lib/crypto.ts'
import { refuseUnfitNode } from './start-checks.ts'

const minute = 60_000
const databaseMs = 1_764_000_000_000

function started(aheadMs: number, isUsedWith = true, kind: 'postgres' | 'sqlite' = 'postgres') {
  const store = {
    kind,
    nodes: { now: async () => databaseMs },
    identity: { isUsedWith: async () => isUsedWith },
  }
  return refuseUnfitNode({
    store: store as unknown as Parameters<typeof refuseUnfitNode>[0]['store'],
    vault: createVault('a master key of the tests, long enough'),
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

  it('refuses another secret, and says where the right one is', async () => {
    expect(await started(0, false)).toContain('set TOLLGATE_SECRET')
    expect(await started(0, false, 'sqlite')).toBe('started')
  })
})
