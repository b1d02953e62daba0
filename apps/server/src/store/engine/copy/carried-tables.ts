import { StoreOpenError } from '../../errors.ts'
import type { TableShape } from './catalogue.ts'

/** Tables in which each database writes of itself: the other one has its own. */
export const ownTables: Readonly<Record<string, string>> = {
  kysely_migration: 'which changes of the schema this database has had',
  kysely_migration_lock: 'the lock of those',
}

/** Tables of PostgreSQL alone, and why nothing is lost without them. */
export const fleetTables: Readonly<Record<string, string>> = {
  changes: 'announcements to nodes that run; a node that starts reads everything',
  nodes: 'heartbeats of nodes that run; each says anew who it is',
  limit_windows: 'counts of the last minutes, which a crash of the server forgets too',
  limit_slots: 'calls in flight of nodes that run',
  moves: 'where this very database was moved to',
}

type Tables = ReadonlyMap<string, TableShape>

/**
 * The tables whose rows go from one database into another: all that a SQLite file has, because it has nothing but this product's.
 * A server may have tables of other programs beside them.
 * @throws StoreOpenError when the two are not of one schema: nothing may be left behind
 */
export function carriedTables(file: Tables, server: Tables): readonly TableShape[] {
  const carried = [...file.values()].filter(({ name }) => !(name in ownTables))
  for (const table of carried) refuseDifference(table, server.get(table.name))
  return carried
}

function refuseDifference(table: TableShape, other: TableShape | undefined): void {
  const names = new Set([...Object.keys(table.columns), ...Object.keys(other?.columns ?? {})])
  const differing = [...names].filter((name) => table.columns[name] !== other?.columns[name])
  if (differing.length > 0)
    throw new StoreOpenError(
      `The table ${table.name} is not the same in both databases (${differing.join(', ')}): they are not of one version.`,
    )
}

/** Names of the columns, in the order in which rows are read and written. */
export function columnsOf({ columns }: TableShape): readonly string[] {
  return Object.keys(columns)
}

/** A table with the columns of another one, whose rows have the same ids. */
export function withColumnsOf({ name, columns }: TableShape, joined: TableShape | undefined): TableShape {
  return { name, columns: { ...columns, ...joined?.columns } }
}

/** The statement that reads a table, with the columns of another one that has a row for each of its ids. */
export function selectOf(table: TableShape, joined: TableShape | undefined): string {
  if (joined === undefined) return `select ${columnListOf(table)} from "${table.name}"`
  const columnsIn = (shape: TableShape) => columnsOf(shape).map((name) => `"${shape.name}"."${name}"`)
  const others = columnsIn(joined).filter((column) => column !== `"${joined.name}"."id"`)
  const join = `"${table.name}" left join "${joined.name}" on "${joined.name}".id = "${table.name}".id`
  return `select ${[...columnsIn(table), ...others].join(', ')} from ${join}`
}

/** The columns as a list in SQL. */
export function columnListOf(table: TableShape): string {
  return columnsOf(table)
    .map((name) => `"${name}"`)
    .join(', ')
}
