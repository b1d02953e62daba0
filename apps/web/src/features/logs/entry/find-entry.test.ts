import { describe, expect, it } from 'bun:test'
import type { LogEntry } from '@tollgate/api'
import { findByNumber, type ReadRows, rowsPerLookup } from './find-entry.ts'

function row(id: number, createdAt: number): LogEntry {
  return { id, created_at: createdAt } as LogEntry
}

/** A log over memory, newest row first. */
function logOf(rows: readonly LogEntry[]) {
  const requested: Parameters<ReadRows>[0][] = []
  const read: ReadRows = async (times, page) => {
    requested.push(times)
    const found = rows.filter(
      ({ created_at }) =>
        created_at >= (times.from ?? 0) && created_at <= (times.to ?? Number.MAX_SAFE_INTEGER),
    )
    return { items: found.slice((page - 1) * rowsPerLookup, page * rowsPerLookup), total: found.length }
  }
  return { read, requested }
}

describe('findByNumber', () => {
  it('finds a row by its number in the second it was written', async () => {
    const log = logOf([row(9, 1000), row(8, 1000), row(7, 999)])
    expect(await findByNumber('8', 1000, log.read)).toMatchObject({ id: 8 })
    expect(log.requested).toEqual([{ from: 1000, to: 1000 }])
  })

  it('looks around a time that is only about right', async () => {
    const log = logOf([row(2, 1060), row(1, 1058)])
    expect(await findByNumber('1', 1000, log.read)).toMatchObject({ id: 1 })
  })

  it('turns pages, but not forever', async () => {
    const busy = Array.from({ length: 2000 }, (_, index) => row(2000 - index, 1000))
    expect(await findByNumber('1550', 1000, logOf(busy).read)).toMatchObject({ id: 1550 })
    const log = logOf(busy)
    expect(await findByNumber('3', 1000, log.read)).toBeNull()
    expect(log.requested.length).toBeLessThanOrEqual(10)
  })

  it('returns nothing for a missing row', async () => {
    expect(await findByNumber('77', undefined, logOf([row(1, 5)]).read)).toBeNull()
  })
})
