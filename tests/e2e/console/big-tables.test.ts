import { expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { loopTimesOver } from '../../support/console/big-tables.ts'
import { isExport } from '../../support/console/every-read.ts'

setDefaultTimeout(deadline(3_600_000))

const rows = Number(process.env['TOLLGATE_TEST_LOG_ROWS'] ?? 10_000_000)

/** Limits of a read, in milliseconds of processor time. */
const bars = { sum: 100, held: 20 }

it('no read of the console holds up the event loop, however large the tables are', async () => {
  const times = await loopTimesOver({ rows, users: Math.ceil(rows / 100), channels: 1000 })
  expect(times.size).toBeGreaterThan(170)
  const slow = [...times].filter(
    ([target, { sumMs, heldMs }]) => heldMs > bars.held || (sumMs > bars.sum && !isExport({ path: target })),
  )
  expect(slow).toEqual([])
})
