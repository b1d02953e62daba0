import { hourSeconds, indexOfStep, quarterSeconds } from '@tollgate/api/calendar'
import type { Value } from '../../program.ts'
import type { Seconds } from '../../units.ts'
import { hourOf } from '../rows/charge-sums.ts'

/** A time of whole quarters in steps. */
export interface Stretch {
  readonly from: Seconds
  /** Exclusive. */
  readonly end: Seconds
  /** The first may begin before `from`. */
  readonly starts: readonly Seconds[]
}

/** The step of a moment; -1 for one outside. */
export function stepOf({ from, end, starts }: Stretch, at: Seconds): number {
  return at < from || at >= end ? -1 : indexOfStep(starts, at)
}

/**
 * The quarters whose hour begins in another step: their part of the sum of the hour is of the step of the quarter. None where all steps
 * begin with hours.
 */
export function splitQuarters(stretch: Stretch): readonly Seconds[] {
  const found = new Set<Seconds>()
  for (const boundary of [stretch.from, ...stretch.starts, stretch.end]) {
    const next = Math.ceil(boundary / hourSeconds) * hourSeconds
    for (let quarter = next - quarterSeconds; quarter >= boundary; quarter -= quarterSeconds)
      if (stepOf(stretch, quarter) !== stepOf(stretch, hourOf(quarter))) found.add(quarter)
  }
  return [...found].sort((a, b) => a - b)
}

export function oneStretch(from: Seconds, end: Seconds): Stretch {
  return { from, end, starts: [from] }
}

/** SQL with its parameters. */
export interface Fragment {
  readonly sql: string
  readonly parameters: readonly Value[]
}

/**
 * Joins SQL with its parts: a fragment brings its parameters along, a number becomes one, and a text stands as it is: a name of a table or a
 * column, never what somebody typed.
 */
export function fragment(
  texts: TemplateStringsArray,
  ...parts: readonly (string | number | Fragment)[]
): Fragment {
  const joined = parts.map((part) => {
    if (typeof part === 'string') return { sql: part, parameters: [] }
    return typeof part === 'number' ? { sql: '?', parameters: [part] } : part
  })
  return {
    sql: texts.map((text, index) => text + (joined[index]?.sql ?? '')).join(''),
    parameters: joined.flatMap(({ parameters }) => parameters),
  }
}

/** Columns of an hourly table to sum up in one stretch. */
interface SummedRows {
  readonly stretch: Stretch
  readonly key: readonly string[]
  readonly sums: readonly string[]
  /** The rows of the hourly table in the stretch. */
  readonly rows: Fragment
  readonly quarters: string
  /** A condition on the rows of quarters. */
  readonly only: Fragment
}

/** Rows whose sums are those of a stretch that begins and ends with any quarter: some are subtracted. A relation for `from`. */
export function rowsOfStretch({ stretch, key, sums, rows, quarters, only }: SummedRows): Fragment {
  const split = splitQuarters(stretch)
  const parts = [rows, ...signed(1), ...signed(-1)]
  return {
    sql: `(${parts.map(({ sql }) => sql).join(' union all ')})`,
    parameters: parts.flatMap(({ parameters }) => parameters),
  }

  function signed(sign: 1 | -1): Fragment[] {
    const those = split.filter((quarter) => stepOf(stretch, quarter) >= 0 === sign > 0)
    if (those.length === 0) return []
    const columns = [...key, ...sums.map((sum) => (sign > 0 ? sum : `-${sum} as ${sum}`))]
    return [
      {
        sql: `select ${columns.join(', ')} from ${quarters} where ${only.sql} and quarter in (${those.map(() => '?').join(', ')})`,
        parameters: [...only.parameters, ...those],
      },
    ]
  }
}

/**
 * Every hour of a stretch as a row, and the later quarters that have rows of their own in hourly tables. Rollups of one account are
 * looked up hour by hour: the keys of their tables start with the hour, so that flushes write at their end.
 * @param first of the hours that are there, and the last
 */
export function hoursOf({ from, end }: Stretch, first: Seconds, last: Seconds): Fragment {
  const firstHour = Math.ceil(Math.max(from, first) / hourSeconds) * hourSeconds
  const limit = Math.min(end - 1, last)
  return {
    sql: `with recursive whole(hour) as (
        select cast(? as bigint) where cast(? as bigint) <= cast(? as bigint)
        union all select hour + ${hourSeconds} from whole where hour + ${hourSeconds} <= ?
      ), hours(hour) as (
        select hour from whole union all select quarter from open_quarters where quarter >= ? and quarter < ?
      )`,
    parameters: [firstHour, firstHour, limit, limit, from, end],
  }
}
