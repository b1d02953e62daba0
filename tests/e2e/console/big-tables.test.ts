import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { slowReadsOver } from '../../support/console/big-tables.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'

setDefaultTimeout(deadline(3_600_000))

const rows = Number(process.env['TOLLGATE_TEST_LOG_ROWS'] ?? 10_000_000)

const filled = { rows, users: Math.ceil(rows / 100), channels: 1000 }
const limits = { sum: 100, exported: 100, held: 20 }

describe('no read of the console holds up the event loop, however large the tables are', () => {
  it('in a file', async () => {
    const { reads, slow } = await slowReadsOver(filled, limits)
    expect(reads).toBeGreaterThan(170)
    expect([...slow]).toEqual([])
  })

  it.skipIf(!hasPostgres())('on PostgreSQL', async () => {
    const postgres = await startPostgres({ shared_buffers: '512MB', max_wal_size: '8GB' })
    try {
      const { reads, slow } = await slowReadsOver(filled, limits, await postgres.createDatabase())
      expect(reads).toBeGreaterThan(170)
      expect([...slow]).toEqual([])
    } finally {
      await postgres.stop()
    }
  })
})
