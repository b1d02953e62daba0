import type { LogEntry } from '@tollgate/api'
import { requestTimes } from './request-id.ts'

/** Rows of a stretch of time, newest first; `undefined` times are open. */
export type ReadRows = (
  times: { readonly from?: number; readonly to?: number },
  page: number,
) => Promise<{ readonly items: readonly LogEntry[]; readonly total: number }>

/** Rows asked for at once, and how often before giving up on a stretch. */
export const rowsPerLook = 100
const mostPages = 5

/** Clocks may disagree by this much. */
const slackSeconds = 120
/** A row is written when its call ends: so long after it arrived. */
const longCallSeconds = 900

export function isEntry(row: LogEntry, entry: string): boolean {
  return row.request_id === entry || String(row.id) === entry
}

/**
 * Looks for one row where it should be: around `at`, or around the time in its request id. The log has no look-up by
 * id; its pages by time are as quick.
 */
export async function findEntry(
  entry: string,
  at: number | undefined,
  readRows: ReadRows,
): Promise<LogEntry | null> {
  for (const times of placesOf(entry, at)) {
    const found = await lookThrough(entry, times, readRows)
    if (found) return found
  }
  return null
}

function placesOf(entry: string, at: number | undefined): readonly { from?: number; to?: number }[] {
  const near =
    at === undefined
      ? []
      : [
          { from: at, to: at },
          { from: at - slackSeconds, to: at + slackSeconds },
        ]
  const byId = requestTimes(entry).map((time) => ({ from: time - 1, to: time + longCallSeconds }))
  return near.length + byId.length > 0 ? [...near, ...byId] : [{}]
}

async function lookThrough(
  entry: string,
  times: { readonly from?: number; readonly to?: number },
  readRows: ReadRows,
): Promise<LogEntry | undefined> {
  for (let page = 1; page <= mostPages; page += 1) {
    const { items, total } = await readRows(times, page)
    const found = items.find((row) => isEntry(row, entry))
    if (found || page * rowsPerLook >= total) return found
  }
  return undefined
}
