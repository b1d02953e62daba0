import type { BatchStatement } from '../../program.ts'
import type { Seconds } from '../../units.ts'
import { hourOf } from '../rows/charge-sums.ts'
import { type QuarterTable, quarterTables } from './quarter-tables.ts'

/** Rows of each table that one transaction takes over: flushes wait for it. */
const rowsAtOnce = 2000

/**
 * Takes the next rows of a quarter over into the rows of their hour, and writes them down as its quarter. The sum of an hour is the same
 * before and after.
 * @param hasQuarters false for hours from before there were quarters: what is added to them has none either
 */
export function takeOverStatements(quarter: Seconds, hasQuarters: boolean): BatchStatement[] {
  return quarterTables.flatMap((table) => [
    ...(hasQuarters ? [addQuarter(table, quarter)] : []),
    addToHour(table, quarter),
    deleteTaken(table, quarter),
  ])
}

/** A condition: rows of a quarter are left. */
export function hasRowsLeft(quarter: Seconds): string {
  return quarterTables
    .map(({ main, time, only }) => `exists (select 1 from ${main} where ${only} and ${time} = ${quarter})`)
    .join(' or ')
}

/** SQLite reads `on conflict` as a part of the select that is before it, unless that has a condition. */
const anyRow = '1 = 1'

function addQuarter(table: QuarterTable, quarter: Seconds): BatchStatement {
  const { quarters, key, sums } = table
  const columns = ['quarter', ...key]
  return {
    sql: `insert into ${quarters} (${[...columns, ...sums].join(', ')})
      select ${[table.time, ...key, ...sums].join(', ')} from (${nextRows(table)}) as taken where ${anyRow}
      on conflict (${columns.join(', ')}) do update set ${added(quarters, sums)}`,
    parameters: [quarter],
  }
}

function addToHour(table: QuarterTable, quarter: Seconds): BatchStatement {
  const { main, time, fixed, key, sums } = table
  const columns = [...Object.keys(fixed), time, ...key]
  return {
    sql: `insert into ${main} (${[...columns, ...sums].join(', ')})
      select ${[...Object.values(fixed), 'cast(? as bigint)', ...key, ...sums].join(', ')} from (${nextRows(table)}) as taken where ${anyRow}
      on conflict (${columns.join(', ')}) do update set ${added(main, sums)}`,
    parameters: [hourOf(quarter), quarter],
  }
}

function deleteTaken(table: QuarterTable, quarter: Seconds): BatchStatement {
  const { main, time, only, key } = table
  return {
    sql: `delete from ${main} where ${only} and ${time} = ? and (${key.join(', ')}) in (
      select ${key.join(', ')} from (${nextRows(table)}) as taken)`,
    parameters: [quarter, quarter],
  }
}

/** The same rows in each of the statements: none of the first two changes those of the quarter. */
function nextRows({ main, time, only, key, sums }: QuarterTable): string {
  return `select ${[time, ...key, ...sums].join(', ')} from ${main} where ${only} and ${time} = ?
    order by ${key.join(', ')} limit ${rowsAtOnce}`
}

function added(table: string, sums: readonly string[]): string {
  return sums.map((sum) => `${sum} = ${table}.${sum} + excluded.${sum}`).join(', ')
}
