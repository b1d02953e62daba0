import type { Seconds } from '../units.ts'

/** Months of the log's partitions, in UTC, counted from year 0. */
export function monthOf(at: Seconds): number {
  const date = new Date(at * 1000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function startOfMonth(month: number): Seconds {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000
}

/** Name of the partition of a month. */
export function partitionOf(month: number): string {
  return `logs_${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, '0')}`
}

/** The month of a partition; `undefined` for any other name. */
export function monthOfPartition(name: string): number | undefined {
  const [, year, month] = /^logs_(\d{4,})_(\d\d)$/.exec(name) ?? []
  return year === undefined || month === undefined ? undefined : Number(year) * 12 + Number(month) - 1
}
