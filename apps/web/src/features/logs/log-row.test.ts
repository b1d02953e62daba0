import { describe, expect, it } from 'bun:test'
import type { LogEntry } from '@tollgate/api'
import { toRows } from './log-row.ts'

const at = (day: number, hour: number) =>
  ({ id: day * 100 + hour, created_at: new Date(2026, 0, day, hour).getTime() / 1000, other: '' }) as LogEntry

describe('rows of the log', () => {
  it('say the day once, where it begins', () => {
    const rows = toRows([at(3, 9), at(3, 8), at(2, 23), at(1, 1)])
    expect(rows.map(({ day, time }) => [day, time])).toEqual([
      ['2026-01-03', '09:00:00'],
      [undefined, '08:00:00'],
      ['2026-01-02', '23:00:00'],
      ['2026-01-01', '01:00:00'],
    ])
  })
})
