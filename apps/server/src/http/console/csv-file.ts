import type { ReaderClock } from '@tollgate/api/calendar'
import type { Pieces } from '../../lib/async/pieces.ts'
import { type ExportPeriod, type ExportSubject, exportName } from '../../lib/export-name.ts'
import type { AuditEvent } from '../../records/audit-log/audit-log.ts'
import type { Exported, StreamResult } from './route.ts'

/** CSV that a browser saves under a name with its period. */
export function csvFile(
  subject: ExportSubject,
  stream: Pieces,
  period: ExportPeriod,
  now: number,
): StreamResult {
  return { stream, contentType: 'text/csv; charset=utf-8', filename: exportName(subject, period, now) }
}

/** The record of an export: what was chosen, without the clock by which it is written. */
export function exportRecord(
  action: AuditEvent['action'],
  target: AuditEvent['target'],
  { utc_offset: _offset, time_zone: _zone, ...filter }: ReaderClock,
): Exported {
  return { exported: { action, target, after: filter } }
}
