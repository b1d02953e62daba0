import type { LogEntry, LogOther } from '@tollgate/api'
import { readOther } from './entry/other.ts'

/** A row with its explanation read once, however many cells ask. */
export interface LogRow {
  readonly entry: LogEntry
  readonly other: LogOther
}

export function toRow(entry: LogEntry): LogRow {
  return { entry, other: readOther(entry.other).other }
}
