import { afterAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreFault } from '../store/errors.ts'
import { createInstallationReader } from './installation.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-installation-'))
writeFileSync(join(folder, 'one.journal'), 'x'.repeat(100))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const damaged = (code: string) =>
  new StoreFault('unavailable', 'it cannot be read', { cause: Object.assign(new Error(code), { code }) })

/** A reader over a database that can be told to fail. */
function reader(flushFault?: unknown) {
  const state = { fault: undefined as Error | undefined, reads: 0, certificates: 0 }
  const read = createInstallationReader({
    store: {
      installation: {
        async size() {
          state.reads += 1
          if (state.fault !== undefined) throw state.fault
          return { bytes: 1000, freeBytes: 10 }
        },
        maxConnections: async () => undefined,
        countEndingKeys: async () => 2,
        balances: async () => [{ channel: 7, balance: 1.5, at: 90 }],
      },
      journalFindings: {
        add: async () => [],
        listSince: async () =>
          [3, 4].map((atMost) => ({
            id: String(atMost),
            node: 'n',
            kind: 'damage' as const,
            files: '',
            atLeast: 0,
            atMost,
            foundAt: 1,
          })),
      },
      statistics: {
        modelTotals: async () => [],
        margins: async () => ({
          total: { calls: 0, quota: 0, costedCalls: 0, costedQuota: 0, cost: 0 },
          rows: [],
        }),
      },
    },
    dataDir: folder,
    journalDirectory: folder,
    flushFault: () => flushFault,
    lastBackupMs: async () => undefined,
    async certificateEndMs() {
      state.certificates += 1
      throw new Error('the proxy is away')
    },
    clock: { now: () => 100_000 },
  })
  return { state, read }
}

describe('what ends badly', () => {
  it('is read at once, and asks database and site again only after a time', async () => {
    const { state, read } = reader()
    const figures = await read()
    expect(figures).toMatchObject({
      journalBytes: 100,
      isDamaged: false,
      lastBackupMs: 0,
      certificateEndMs: undefined,
      database: { size: { bytes: 1000 }, endingKeys: 2, lostCalls: 7, balances: [{ channel: 7 }] },
    })
    expect(figures.disk?.totalBytes).toBeGreaterThan(0)
    await Promise.all([read(), read()])
    expect(state).toMatchObject({ reads: 1, certificates: 1 })
  })

  it.each(['SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB', 'XX001', 'XX002'])(
    'is damage where the database says %s, when it is read or when it takes no charges',
    async (code) => {
      const { state, read } = reader()
      state.fault = damaged(code)
      expect(await read()).toMatchObject({ isDamaged: true, database: undefined })
      expect(await reader(damaged(code)).read()).toMatchObject({ isDamaged: true })
    },
  )

  it.each(['SQLITE_FULL', 'SQLITE_BUSY', '57P01', ''])('is no damage where it says %s', async (code) => {
    const { state, read } = reader(damaged(code))
    state.fault = damaged(code)
    expect(await read()).toMatchObject({ isDamaged: false, database: undefined })
  })
})
