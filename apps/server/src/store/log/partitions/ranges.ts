import type { Seconds } from '../../units.ts'

/** Times of a partition's rows: from one time to another, which it excludes. */
export interface Range {
  readonly from: Seconds
  readonly to: Seconds
}

/** The width of a partition, in UTC. Weeks begin on Mondays. */
export type Width = 'day' | 'week' | 'month'

/** A reader of the newest rows opens every partition, a tenth of a millisecond each, so a log should have some fifty. */
const widths: readonly { readonly upToDays: number; readonly width: Width }[] = [
  { upToDays: 31, width: 'day' },
  { upToDays: 366, width: 'week' },
]

/** Narrow where few days are kept, so that old rows go soon after them; months where rows stay for ever (0 days). */
export function partitionWidth(days: number): Width {
  return widths.find(({ upToDays }) => days > 0 && days <= upToDays)?.width ?? 'month'
}

/** Start of the day, week or month that has this time. */
export function startOf(width: Width, at: Seconds): Seconds {
  return startAfter(width, at, 0)
}

function endOf(width: Width, at: Seconds): Seconds {
  return startAfter(width, at, 1)
}

function startAfter(width: Width, at: Seconds, count: number): Seconds {
  const date = new Date(at * 1000)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const sinceMonday = (date.getUTCDay() + 6) % 7
  const starts = {
    day: Date.UTC(year, month, day + count),
    week: Date.UTC(year, month, day - sinceMonday + 7 * count),
    month: Date.UTC(year, month + count),
  }
  return starts[width] / 1000
}

/** The partitions that are missing for every time from `from` to `until`; they fit in between existing ones of any width. */
export function missingRanges(existing: readonly Range[], { from, to }: Range, width: Width): Range[] {
  const missing: Range[] = []
  let at = from
  while (at <= to) {
    const range = existing.find((one) => one.from <= at && at < one.to) ?? freeRange(existing, at, width)
    if (!existing.includes(range)) missing.push(range)
    at = range.to
  }
  return missing
}

function freeRange(existing: readonly Range[], at: Seconds, width: Width): Range {
  const before = existing.filter((one) => one.to <= at).map((one) => one.to)
  const after = existing.filter((one) => one.from > at).map((one) => one.from)
  return {
    from: Math.max(startOf(width, at), ...before),
    to: Math.min(endOf(width, at), ...after),
  }
}

/** Complete months are named as they are by versions that know no others. */
export function partitionName({ from, to }: Range): string {
  const isMonth = from === startOf('month', from) && to === endOf('month', from)
  const day = new Date(from * 1000).toISOString().slice(0, isMonth ? 7 : 10)
  return `logs_${day.replaceAll('-', '_')}`
}

/** The range of a partition as PostgreSQL writes it; `undefined` for the default partition. */
export function parseBound(bound: string): Range | undefined {
  const [, from, to] = /^FOR VALUES FROM \('(-?\d+)'\) TO \('(-?\d+)'\)$/.exec(bound) ?? []
  return from === undefined || to === undefined ? undefined : { from: Number(from), to: Number(to) }
}
