import { expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { slowReadsOver } from '../../support/console/big-tables.ts'

setDefaultTimeout(deadline(3_600_000))

const rows = Number(process.env['TOLLGATE_TEST_LOG_ROWS'] ?? 10_000_000)

it('no read of the console holds up the event loop, however large the tables are', async () => {
  const filled = { rows, users: Math.ceil(rows / 100), channels: 1000 }
  const { reads, slow } = await slowReadsOver(filled, { sum: 100, held: 20 })
  expect(reads).toBeGreaterThan(170)
  expect([...slow]).toEqual([])
})
