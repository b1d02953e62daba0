import type { LogEntry, LogOther } from '@tollgate/api'
import { formatDateTime } from '../../lib/format/format.ts'
import { typicalDurations } from './duration/duration.ts'
import { readOther } from './entry/other.ts'

/** A row with its explanation read once, however many cells ask. */
export interface LogRow {
  readonly id: number
  readonly entry: LogEntry
  readonly other: LogOther
  /** Local time of day. */
  readonly time: string
  /** Local day, on the first row of each day; the same day is not said again. */
  readonly day: string | undefined
  /** Typical duration of its model's successful calls on this page, in milliseconds; `undefined` where there are too few. */
  readonly typicalMs: number | undefined
}

/** The rows of a page, newest first. */
export function toRows(entries: readonly LogEntry[]): readonly LogRow[] {
  const read = entries.map((entry) => ({ entry, other: readOther(entry.other).other }))
  const typical = typicalDurations(read)
  let before = ''
  return read.map(({ entry, other }) => {
    const [day = '', time = ''] = formatDateTime(entry.created_at).split(' ')
    const isNewDay = day !== before
    before = day
    return {
      id: entry.id,
      entry,
      other,
      time,
      day: isNewDay ? day : undefined,
      typicalMs: typical.get(entry.model_name),
    }
  })
}
