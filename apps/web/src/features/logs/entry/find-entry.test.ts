import { describe, expect, it } from 'bun:test'
import type { LogEntry } from '@tollgate/api'
import { findEntry, type ReadRows, rowsPerLook } from './find-entry.ts'
import { isRequestId, requestTimes } from './request-id.ts'

const arrived = new Date(2026, 10, 21, 16, 47, 37).getTime() / 1000
const requestId = '20261121164737902000031cKRKRaqd'

function row(id: number, createdAt: number, request_id = ''): LogEntry {
  return { id, created_at: createdAt, request_id } as LogEntry
}

/** A log over memory, newest row first. */
function logOf(rows: readonly LogEntry[]) {
  const asked: Parameters<ReadRows>[0][] = []
  const read: ReadRows = async (times, page) => {
    asked.push(times)
    const found = rows.filter(
      ({ created_at }) =>
        created_at >= (times.from ?? 0) && created_at <= (times.to ?? Number.MAX_SAFE_INTEGER),
    )
    return { items: found.slice((page - 1) * rowsPerLook, page * rowsPerLook), total: found.length }
  }
  return { read, asked }
}

describe('findEntry', () => {
  it('finds a row by its number in the second it was written', async () => {
    const log = logOf([row(9, 1000), row(8, 1000), row(7, 999)])
    expect(await findEntry('8', 1000, log.read)).toMatchObject({ id: 8 })
    expect(log.asked).toEqual([{ from: 1000, to: 1000 }])
  })

  it('looks around a time that is only about right', async () => {
    const log = logOf([row(2, 1060, 'other'), row(1, 1058, requestId)])
    expect(await findEntry(requestId, 1000, log.read)).toMatchObject({ id: 1 })
  })

  it('finds a request by the time in its id alone', async () => {
    const log = logOf([row(3, arrived + 40, requestId), row(2, arrived - 10_000)])
    expect(await findEntry(requestId, undefined, log.read)).toMatchObject({ id: 3 })
  })

  it('turns pages, but not forever', async () => {
    const busy = Array.from({ length: 2000 }, (_, index) => row(2000 - index, 1000))
    expect(await findEntry('1550', 1000, logOf(busy).read)).toMatchObject({ id: 1550 })
    const log = logOf(busy)
    expect(await findEntry('3', 1000, log.read)).toBeNull()
    expect(log.asked.length).toBeLessThanOrEqual(10)
  })

  it('answers nothing for a row that is not there', async () => {
    expect(await findEntry('77', undefined, logOf([row(1, 5)]).read)).toBeNull()
  })
})

describe('request ids', () => {
  it('are told from other texts', () => {
    expect(isRequestId(requestId)).toBe(true)
    expect(isRequestId('gpt-4o')).toBe(false)
    expect(isRequestId('20261121164737902000031cKRKRaq')).toBe(false)
  })

  it('say when the call arrived', () => {
    expect(requestTimes(requestId)[0]).toBe(arrived)
    expect(requestTimes('no id')).toEqual([])
  })
})
