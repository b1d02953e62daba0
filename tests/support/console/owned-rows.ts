import type { Database } from 'bun:sqlite'
import { tablesOf } from './database-contents.ts'
import { withDatabase } from './people.ts'

type Value = string | number | null
type Row = Readonly<Record<string, Value>>

/** A column that says whose a row is. */
const ownerColumns = ['user_id', 'owner_id', 'used_user_id'] as const
/** Numbers that no row has by itself. */
const firstId = 7_000_001
const prefix = 'owned-by-somebody'

interface Column {
  readonly name: string
  readonly type: string
  readonly pk: number
}

interface OwnedTable {
  readonly name: string
  readonly owner: string
  readonly columns: readonly Column[]
}

function ownedTables(database: Database): OwnedTable[] {
  return tablesOf(database).flatMap((name) => {
    const columns = database.query(`pragma table_info("${name}")`).all() as Column[]
    const owner = ownerColumns.find((column) => columns.some((each) => each.name === column))
    return owner === undefined ? [] : [{ name, owner, columns }]
  })
}

/**
 * Gives a user a row in each table whose rows belong to users, unless they have one. Finds tables and columns in the schema.
 * Returns the tables' names.
 */
export function giveOneOfEverything(dataDir: string, userId: number): string[] {
  return withDatabase(dataDir, (database) =>
    ownedTables(database)
      .filter(({ name, owner }) => rowsIn(database, name, owner, userId).length === 0)
      .map((table, index) => {
        const row = inventedRow(table, userId, firstId + index)
        const names = Object.keys(row)
        database.run(
          `insert into "${table.name}" (${names.map((name) => `"${name}"`).join()}) values (${names.map(() => '?').join()})`,
          Object.values(row),
        )
        return table.name
      }),
  )
}

function inventedRow({ name: table, owner, columns }: OwnedTable, userId: number, id: number): Row {
  const invented = columns.map(({ name, type }): [string, Value] => {
    if (name === owner) return [name, userId]
    const isNumber = /int|real/i.test(type)
    return [name, isNumber ? inventedNumber(name, id) : `${prefix}-${table}-${name}`]
  })
  return Object.fromEntries(invented)
}

const secondsPerDay = 86_400

function inventedNumber(column: string, id: number): number | null {
  const now = Math.floor(Date.now() / 1000)
  if (column === 'deleted_at') return null
  if (column === 'expires_at') return now + secondsPerDay
  if (column.endsWith('_at')) return now
  return /(^|_)id$/.test(column) ? id : 1
}

/** Every row that is a user's, by table: their own row and their accounts among them. */
export function rowsOf(dataDir: string, userId: number): ReadonlyMap<string, readonly Row[]> {
  return withDatabase(dataDir, (database) => {
    const rows = new Map<string, readonly Row[]>()
    for (const { name, owner } of ownedTables(database)) rows.set(name, rowsIn(database, name, owner, userId))
    rows.set('users', rowsIn(database, 'users', 'id', userId))
    rows.set('user_accounts', rowsIn(database, 'user_accounts', 'id', userId))
    const ofTokens = 'select * from token_accounts where id in (select id from tokens where user_id = ?)'
    rows.set('token_accounts', database.query(ofTokens).all(userId) as Row[])
    return rows
  })
}

function rowsIn(database: Database, table: string, column: string, userId: number): Row[] {
  return database.query(`select * from "${table}" where "${column}" = ?`).all(userId) as Row[]
}

/** Tables in which a user's rows are no more what they were. */
export function changedRows(
  before: ReadonlyMap<string, readonly Row[]>,
  after: ReadonlyMap<string, readonly Row[]>,
): string[] {
  return [...before]
    .filter(([table, rows]) => JSON.stringify(rows) !== JSON.stringify(after.get(table)))
    .map(([table]) => table)
}
