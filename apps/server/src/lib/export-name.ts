import { type ReaderClock, type Zone, zoneOf } from '@tollgate/api/calendar'

/** Contents of a file that the console exports. */
export type ExportSubject = 'log' | 'orders' | 'spend' | 'statement' | 'security-events'

/** Query of an export: its times in Unix seconds, both inclusive, and the reader's clock. */
export interface ExportPeriod extends Partial<ReaderClock> {
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
}

/**
 * The name of an exported file, with its first and its last day by the reader's clock: `tollgate-log-2026-11-01_2026-11-30.csv`. Without a
 * start it is `until` its last day; without an end, or with one to come, it ends today.
 */
export function exportName(
  subject: ExportSubject,
  { start_timestamp, end_timestamp, utc_offset = 0, time_zone }: ExportPeriod,
  now: number,
): string {
  const zone = zoneOf({ utc_offset, time_zone })
  const last = dayOf(within(end_timestamp || now, now), zone)
  const first = start_timestamp ? `${dayOf(within(start_timestamp, now), zone)}_` : 'until-'
  return `tollgate-${subject}-${first}${last}.csv`
}

/** A time that a name can say: none before the epoch of the clock, none to come. */
function within(at: number, now: number): number {
  return Math.max(0, Math.min(at, now))
}

function dayOf(at: number, zone: Zone): string {
  return new Date((at + zone.offsetAt(at)) * 1000).toISOString().slice(0, 10)
}
