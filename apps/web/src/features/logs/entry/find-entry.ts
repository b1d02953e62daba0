import type { LogEntry } from '@tollgate/api'

/** Rows of a stretch of time, newest first; `undefined` times are open. */
export type ReadRows = (
  times: { readonly from?: number; readonly to?: number },
  page: number,
) => Promise<{ readonly items: readonly LogEntry[]; readonly total: number }>

/** Rows asked for at once, and how often before giving up on a stretch. */
export const rowsPerLookup = 100
const maxPages = 5

/** Clocks may disagree by this much. */
const slackSeconds = 120

export function isEntry(row: LogEntry, entry: string): boolean {
  return row.request_id === entry || String(row.id) === entry
}

/**
 * Looks for a row by its number where it should be: around `at`, or among the newest. The log has a look-up by request
 * id, but none by the numbers of its rows.
 */
export async function findByNumber(
  number: string,
  at: number | undefined,
  readRows: ReadRows,
): Promise<LogEntry | null> {
  const positions =
    at === undefined
      ? [{}]
      : [
          { from: at, to: at },
          { from: at - slackSeconds, to: at + slackSeconds },
        ]
  for (const times of positions) {
    const found = await lookThrough(number, times, readRows)
    if (found) return found
  }
  return null
}

async function lookThrough(
  number: string,
  times: { readonly from?: number; readonly to?: number },
  readRows: ReadRows,
): Promise<LogEntry | undefined> {
  for (let page = 1; page <= maxPages; page += 1) {
    const { items, total } = await readRows(times, page)
    const found = items.find((row) => isEntry(row, number))
    if (found || page * rowsPerLookup >= total) return found
  }
  return undefined
}
