import type { Seconds } from '../../units.ts'

export type CheckedRow = Readonly<Record<string, unknown>>

/** Hours from which on log and sums are complete. */
export interface Complete {
  /** The log has every row that it ever had. */
  readonly log: Seconds
  /** The log and the sums of its cleared rows have every charge together. */
  readonly sums: Seconds
}

/** Figures that must agree. */
export interface Check {
  /** SQL of rows with `x_expected` and `x_found` for each figure x. */
  sql(complete: Complete): string
  readonly figures: readonly string[]
  /** The expected and the found value of a figure. */
  what(figure: string, row: CheckedRow): string
}

/** Columns of one side: its value of each figure, and zero for the other side. */
export function sideColumns(side: 'expected' | 'found', columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([figure, sql]) =>
      side === 'expected'
        ? `${sql} as ${figure}_expected, 0 as ${figure}_found`
        : `0 as ${figure}_expected, ${sql} as ${figure}_found`,
    )
    .join(', ')
}

/** Sums sides by a key; either may have keys that the other lacks. Quarters of an hour count in the hour. */
export function compareSides(key: string, figures: readonly string[], sides: readonly string[]): string {
  const sums = figures
    .flatMap((figure) => [`${figure}_expected`, `${figure}_found`])
    .map((column) => `cast(sum(${column}) as bigint) as ${column}`)
  const columns = key.split(', ')
  const byHour = columns.map((name) => (name === 'hour' ? 'hour - hour % 3600 as start' : name))
  const named = columns.map((name) => (name === 'hour' ? 'start' : name))
  const both = `select ${byHour.join(', ')}, ${figures.flatMap((figure) => [`${figure}_expected`, `${figure}_found`]).join(', ')}
    from (${sides.join(' union all ')}) as sides`
  return `select ${columns.map((name) => (name === 'hour' ? 'start as hour' : name)).join(', ')}, ${sums.join(', ')}
    from (${both}) as counted group by ${named.join(', ')} order by ${named.join(', ')}`
}

export function hourOf(row: CheckedRow): string {
  return timeOf(row['hour'])
}

export function timeOf(seconds: unknown): string {
  return new Date(Number(seconds) * 1000).toISOString()
}
