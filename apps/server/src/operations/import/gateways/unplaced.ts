import type { ForeignDatabase } from '../../../store/engine/foreign/foreign-database.ts'
import type { UnplacedTable } from '../import-source.ts'
import type { ColumnFate } from './columns.ts'

/** Treatment of the data of a kind of source. */
export interface Fates {
  /** Treatment of each column of the tables that are taken row by row. */
  readonly columnFates: Readonly<Record<string, Readonly<Record<string, ColumnFate>>>>
  /** Defaults beside nothing, zero, false and empty objects. */
  readonly columnDefaults: Readonly<Record<string, string>>
  /** Tables that are not taken row by row, with the reason. */
  readonly tableReasons: Readonly<Record<string, string>>
}

type Read = Pick<ForeignDatabase, 'tables' | 'columns' | 'count' | 'query' | 'quoted' | 'asText'>

/** The data that this gateway does not take: whole tables, then columns, with the number of rows that have a value there. */
export async function unplacedData(database: Read, fates: Fates): Promise<readonly UnplacedTable[]> {
  const tables: UnplacedTable[] = []
  const columns: UnplacedTable[] = []
  for (const table of await database.tables())
    if (fates.columnFates[table] !== undefined)
      columns.push(...(await unplacedColumns(database, table, fates)))
    else tables.push(...(await unplacedRows(database, table, fates)))
  return [...tables, ...columns]
}

async function unplacedRows(
  database: Read,
  table: string,
  { tableReasons }: Fates,
): Promise<UnplacedTable[]> {
  const rows = await database.count(table)
  const why = tableReasons[table] ?? 'this gateway does not know the table'
  return rows === 0 ? [] : [{ table, rows, why }]
}

async function unplacedColumns(database: Read, table: string, fates: Fates): Promise<UnplacedTable[]> {
  const found: UnplacedTable[] = []
  for (const column of await database.columns(table)) {
    const fate = fates.columnFates[table]?.[column]
    if (fate === 'taken' || (fate !== undefined && 'ignored' in fate)) continue
    const rows = await countSet(database, table, column, fates)
    const why = fate?.named ?? 'this gateway does not know the column'
    if (rows > 0) found.push({ table: `${table}.${column}`, rows, why })
  }
  return found
}

/** Texts of values that say nothing, in any database. */
const nothing = ['', '0', '0.0', 'false', 'f', '{}', '[]', 'null']

async function countSet(
  database: Read,
  table: string,
  column: string,
  { columnDefaults }: Fates,
): Promise<number> {
  const own = columnDefaults[`${table}.${column}`]
  const defaults = own === undefined ? nothing : [...nothing, own]
  const name = database.quoted(column)
  const [row] = await database.query(
    `select count(*) as n from ${database.quoted(table)} where ${name} is not null
      and ${database.asText(name)} not in (${defaults.map(() => '?').join(', ')})`,
    defaults,
  )
  return Number(row?.['n'] ?? 0)
}

/** The unused quota of subscriptions of new-api, which people have paid for: no other table without a place here holds money. */
export async function prepaidQuota(database: ForeignDatabase): Promise<UnplacedTable[]> {
  const found: UnplacedTable[] = []
  for (const table of ['user_subscriptions', 'user_subscription_items']) {
    const columns = await database.columns(table)
    if (!columns.has('amount_total') || !columns.has('amount_used')) continue
    const active = columns.has('status') ? "and status = 'active'" : ''
    const [row] = await database.query(
      `select count(*) as n, sum(amount_total - amount_used) as amount from ${table}
        where amount_total > amount_used ${active}`,
    )
    const rows = Number(row?.['n'] ?? 0)
    const amount = Number(row?.['amount'] ?? 0).toLocaleString('en')
    const why = `${amount} of prepaid quota is left in them; credit it to the balances of their users`
    if (rows > 0) found.push({ table: `${table}.amount_total`, rows, why })
  }
  return found
}
