import { type RawBuilder, sql } from 'kysely'
import type { BatchStatement, Value } from '../program.ts'
import type { DatabaseKind } from '../store.ts'

/** Names and types of the items in rows, in their order. */
export type RowColumns = Readonly<Record<string, 'integer' | 'text'>>

/** Values in the order of some `RowColumns`. */
export type Rows = readonly (readonly Value[])[]

/** Where the two databases speak differently, under one name each. */
export interface SqlWords {
  readonly kind: DatabaseKind
  /** Type of a 64-bit primary key that is never handed out twice. */
  readonly newId: string
  readonly integer: string
  readonly real: string
  readonly bytes: string
  /** Ends `create table`. */
  readonly tableEnd: string
  /** Ends `create table` of a table that is always read by its primary key. */
  readonly keyedTableEnd: string
  /** Inserts rows; `onConflict` may say what becomes of those that are there. */
  insertRows(table: string, columns: RowColumns, rows: Rows, onConflict: string): BatchStatement
  /**
   * Updates the rows of a table whose ids come first in `rows`. `sets` says what becomes of their columns; it is given
   * how each of `columns` is written.
   */
  updateRows(
    table: string,
    columns: RowColumns,
    sets: (given: (name: string) => string) => string,
    rows: Rows,
  ): BatchStatement
  /** Whether a condition holds for an item of a column that is a JSON array of texts. */
  anyItem(column: string, condition: (item: RawBuilder<unknown>) => RawBuilder<boolean>): RawBuilder<boolean>
  /** Whether a column is one of these values; one statement however many they are. */
  isOneOf(column: string, values: readonly string[] | readonly number[]): RawBuilder<boolean>
  /** SQL with `?` for its parameters, as the database wants it. No other `?` may stand in it. */
  placeholders(text: string): string
  /** Statements that open a transaction which adds rows to the log. */
  readonly beforeLogRows: readonly string[]
  /** Statements that open a flush. */
  readonly beforeFlush: readonly string[]
  /** Statements that see to it that a transaction is on the disk when its commit is answered. */
  readonly makeDurable: readonly string[]
}

/** An item of `anyItem`. */
const item = sql.ref('item.value')

/** More gain little, and what is left over runs row by row. */
const rowsPerInsert = 16

export const sqliteWords: SqlWords = {
  kind: 'sqlite',
  newId: 'integer primary key autoincrement',
  integer: 'integer',
  real: 'real',
  bytes: 'blob',
  tableEnd: 'strict',
  keyedTableEnd: 'strict, without rowid',
  insertRows(table, columns, rows, onConflict) {
    const row = `(${Object.keys(columns)
      .map(() => '?')
      .join(', ')})`
    const insert = (count: number) =>
      `insert into ${table} (${columnList(columns)}) values ${new Array(count).fill(row).join(', ')} ${onConflict}`
    return {
      // Half the time of one statement over a JSON parameter, and with many rows at once three quarters of that.
      sql: insert(1),
      parameters: [],
      rows,
      forMany: { sql: insert(rowsPerInsert), rows: rowsPerInsert },
    }
  },
  updateRows(table, columns, sets, rows) {
    const names = Object.keys(columns)
    return {
      // A third of the time of one statement that joins a JSON parameter.
      sql: `update ${table} set ${sets((name) => `?${names.indexOf(name) + 1}`)} where id = ?1`,
      parameters: [],
      rows,
    }
  },
  anyItem: (column, condition) =>
    sql<boolean>`exists (select 1 from json_each(${sql.ref(column)}) as item where ${condition(item)})`,
  isOneOf: (column, values) =>
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`,
  placeholders: (text) => text,
  beforeLogRows: [],
  beforeFlush: [],
  makeDurable: [],
}

/**
 * Advisory locks of this product, all held to the end of their transaction.
 * `logRows` is shared by those who add log rows and exclusive for the one that seals a block, so that no row with a
 * small id can still appear behind a sealed block. `flush` lets one flush at a time lock rows of many accounts. `logIndex`
 * is held by the one that seals blocks or cuts them.
 */
export const postgresLocks = { schema: 1, partitions: 2, logRows: 3, flush: 4, logIndex: 5 } as const

const lockSpace = 0x7011

export function takeLock(
  lock: keyof typeof postgresLocks,
  how: 'exclusive' | 'shared' = 'exclusive',
): string {
  const call = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  return `select ${call}(${lockSpace}, ${postgresLocks[lock]})`
}

/** Held for the life of a gateway, not of a piece of work; see postgres-claim.ts. */
const gateway = 6

/** Whether this transaction has the lock of the one gateway now, and the server process that it runs in. */
export const takeGatewayLock = `select pg_try_advisory_xact_lock(${lockSpace}, ${gateway}) as held, pg_backend_pid() as pid`

/** The server process that has it. */
export const gatewayLockHolder = `select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 2
  and classid = ${lockSpace} and objid = ${gateway}
  and database = (select oid from pg_database where datname = current_database())`

export const postgresWords: SqlWords = {
  kind: 'postgres',
  newId: 'bigint generated by default as identity primary key',
  integer: 'bigint',
  real: 'double precision',
  bytes: 'bytea',
  tableEnd: '',
  keyedTableEnd: '',
  insertRows: (table, columns, rows, onConflict) => ({
    sql: `insert into ${table} (${columnList(columns)}) select * from ${rowsFromJsonb(columns)} as added ${onConflict}`,
    parameters: [JSON.stringify(rows)],
  }),
  updateRows: (table, columns, sets, rows) => ({
    sql: `update ${table} set ${sets((name) => `given.${quoted(name)}`)}
      from ${rowsFromJsonb(columns)} as given where ${table}.id = given.id`,
    parameters: [JSON.stringify(rows)],
  }),
  anyItem: (column, condition) => sql<boolean>`exists (
    select 1 from jsonb_array_elements_text(${sql.ref(column)}::jsonb) as item(value) where ${condition(item)}
  )`,
  isOneOf(column, values) {
    if (values.length === 0) return sql<boolean>`false`
    const type = typeof values[0] === 'number' ? 'bigint' : 'text'
    return sql<boolean>`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`
  },
  placeholders(text) {
    let parameters = 0
    return text.replace(/\?/g, () => `$${++parameters}`)
  },
  beforeLogRows: [takeLock('logRows', 'shared')],
  beforeFlush: [takeLock('flush'), takeLock('logRows', 'shared')],
  // The server's default; whoever switched it off for speed did not mean money that comes in.
  makeDurable: [
    `select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`,
  ],
}

/** A derived table of the rows in one JSON parameter, an array of arrays in the order of `columns`. */
function rowsFromJsonb(columns: RowColumns): string {
  const fields = Object.entries(columns).map(
    ([name, type], index) =>
      `(value ->> ${index})::${type === 'integer' ? 'bigint' : 'text'} as ${quoted(name)}`,
  )
  return `(select ${fields.join(', ')} from jsonb_array_elements(?::jsonb) as item(value))`
}

function columnList(columns: RowColumns): string {
  return Object.keys(columns).map(quoted).join(', ')
}

function quoted(name: string): string {
  return `"${name}"`
}
