import type { DatabaseKind } from '../../dialects/sql-dialect.ts'
import { type Program, query } from '../../program.ts'

/** Type of a column's values, in the words that both databases share. */
export type ValueType = 'integer' | 'real' | 'text' | 'bytes'

/** A table as the database's own catalogue describes it. */
export interface TableShape {
  readonly name: string
  /** The type of each column; as the database writes it where the other one has no such type. */
  readonly columns: Readonly<Record<string, ValueType | (string & {})>>
}

/** A column whose values the database counts, and the last value that it gave; 0 for none. */
export interface Counter {
  readonly table: string
  readonly last: number
}

const valueTypes: Readonly<Record<string, ValueType>> = {
  integer: 'integer',
  bigint: 'integer',
  real: 'real',
  'double precision': 'real',
  text: 'text',
  blob: 'bytes',
  bytea: 'bytes',
}

/** Partitions are parts of their table: their rows are read and written through it. */
const columnQueries: Readonly<Record<DatabaseKind, string>> = {
  sqlite: `select master.name as "table", col.name as "column", lower(col.type) as type
    from sqlite_schema as master join pragma_table_info(master.name) as col
    where master.type = 'table' and master.name not like 'sqlite\\_%' escape '\\' order by master.name, col.cid`,
  postgres: `select relname as "table", attname as "column", format_type(atttypid, null) as type
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped
    order by relname, attnum`,
}

/** The tables of a database, by their names. */
export function* readTables(kind: DatabaseKind): Program<ReadonlyMap<string, TableShape>> {
  const rows = yield* query<{ table: string; column: string; type: string }>(columnQueries[kind])
  const tables = new Map<string, Record<string, string>>()
  for (const { table, column, type } of rows) {
    const columns = tables.get(table) ?? {}
    columns[column] = valueTypes[type] ?? type
    tables.set(table, columns)
  }
  return new Map([...tables].map(([name, columns]) => [name, { name, columns }]))
}

/** Sequences of identity columns belong to their table; others are named by the default of a column. */
const sequenceQuery = `
  select owner.relname as "table", sequence.relname as sequence
    from pg_class as sequence
    join pg_depend as link on link.classid = 'pg_class'::regclass and link.objid = sequence.oid and link.deptype = 'i'
    join pg_class as owner on owner.oid = link.refobjid and link.refclassid = 'pg_class'::regclass
    where sequence.relkind = 'S' and owner.relnamespace = current_schema()::regnamespace
  union
  select owner.relname, sequence.relname
    from pg_class as sequence
    join pg_depend as link on link.refclassid = 'pg_class'::regclass and link.refobjid = sequence.oid
    join pg_attrdef as fallback on link.classid = 'pg_attrdef'::regclass and fallback.oid = link.objid
    join pg_class as owner on owner.oid = fallback.adrelid
    where sequence.relkind = 'S' and not owner.relispartition and owner.relnamespace = current_schema()::regnamespace`

/** The sequence of each table that has one, on PostgreSQL. */
export function* readSequences(): Program<ReadonlyMap<string, string>> {
  const rows = yield* query<{ table: string; sequence: string }>(sequenceQuery)
  return new Map(rows.map(({ table, sequence }) => [table, sequence]))
}

/** Reads the counters of each table's ids. */
export function* readCounters(kind: DatabaseKind): Program<readonly Counter[]> {
  if (kind === 'sqlite')
    return yield* query<Counter>('select name as "table", seq as last from sqlite_sequence order by name')
  const counters: Counter[] = []
  for (const [table, sequence] of yield* readSequences()) {
    const [state] = yield* query<{ last: number }>(
      `select case when is_called then last_value else last_value - 1 end as last from "${sequence}"`,
    )
    counters.push({ table, last: state?.last ?? 0 })
  }
  return counters
}

/** The number of rows of a table. */
export function* countRowsOf({ name }: TableShape): Program<number> {
  const [row] = yield* query<{ count: number }>(`select count(*) as count from "${name}"`)
  return row?.count ?? 0
}

const settingOf = `select value from options where key = ?`

/** The text of an option; `undefined` where it is not set. */
export function* readOption(key: string): Program<string | undefined> {
  const [row] = yield* query<{ value: string }>(settingOf, [key])
  return row?.value
}
