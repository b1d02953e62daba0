import { describe, expect, it } from 'bun:test'
import type { Statement } from '@tollgate/api'
import { zoneOf } from '@tollgate/api/calendar'
import { statementCsv } from './statement-csv.ts'

const may: Statement = {
  ...{ number: 'K7-2026-05-AB', kind: 'token', id: 7, name: 'laptop', month: '2026-05' },
  ...{ from: 1_777_573_800, end: 1_780_252_200, is_open: false, is_unlimited: false },
  ...{ opening: 3_000_000, closing: 1_250_000, quota_per_unit: 500_000 },
  lines: [
    { line: 'top_ups', amount: 1_000_000, count: 2 },
    { line: 'held', amount: -750_000, count: 1 },
  ],
  charges: { amount: 2_000_000, calls: 3 },
  entries: [
    { at: 1_777_600_000, line: 'top_ups', amount: 400_000, note: 'USR2NO1' },
    { at: 1_777_600_001, line: 'top_ups', amount: 600_000, note: 'USR2NO2' },
  ],
  by_model: [],
  by_account: [],
}
/** Five and a half hours ahead of UTC. */
const kolkata = zoneOf({ time_zone: 'Asia/Kolkata', utc_offset: 0 })
const cellsOf = (statement: Statement) =>
  statementCsv(statement, 'en', kolkata)
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))

describe('a statement as CSV', () => {
  it('leads line by line from one balance to the other, by the reader’s clock', () => {
    const lines = cellsOf(may)
    expect(lines.map(([, at, line, note]) => [at, line, note])).toEqual([
      ['2026-05-01T00:00:00+05:30', 'Opening balance', ''],
      ['2026-05-01T07:16:40+05:30', 'Top-ups', 'USR2NO1'],
      ['2026-05-01T07:16:41+05:30', 'Top-ups', 'USR2NO2'],
      ['2026-05-31T23:59:59+05:30', 'Held for open tasks', ''],
      ['2026-05-31T23:59:59+05:30', 'Charges', ''],
      ['2026-05-31T23:59:59+05:30', 'Closing balance', ''],
    ])
    const units = lines.map((cells) => Number(cells.at(-1)))
    expect(units.slice(0, -1).reduce((sum, each) => sum + each)).toBe(units.at(-1) ?? 0)
  })

  it('of a key without a limit has no balances, as on screen', () => {
    const lines = cellsOf({ ...may, is_unlimited: true })
    expect(lines.map(([, , line]) => line)).toEqual(['Top-ups', 'Top-ups', 'Held for open tasks', 'Charges'])
  })
})
