import type { Pieces } from '../../lib/async/pieces.ts'
import { type ExportPeriod, type ExportSubject, exportName } from '../../lib/export-name.ts'
import type { StreamResult } from './route.ts'

/** CSV that a browser saves under a name with its period. */
export function csvFile(
  subject: ExportSubject,
  stream: Pieces,
  period: ExportPeriod,
  now: number,
): StreamResult {
  return { stream, contentType: 'text/csv; charset=utf-8', filename: exportName(subject, period, now) }
}
