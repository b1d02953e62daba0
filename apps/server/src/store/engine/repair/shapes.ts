import type { Database } from 'bun:sqlite'
import type { PageSource } from './page-source.ts'
import type { RootedShape } from './salvage.ts'
import type { TableShape } from './table-shape.ts'
import { readTreePage, type TreePage } from './tree.ts'

interface ColumnInfo {
  readonly name: string
  readonly type: string
  readonly notnull: number
  /** Its place in the primary key, from 1 on; 0 for none. */
  readonly pk: number
}

/** The tables of a database, in the order in which they were made. */
function tableNames(database: Database): string[] {
  return database
    .query<{ name: string }, []>(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by rowid`,
    )
    .all()
    .map(({ name }) => name)
}

/** Reads the layout of a table's rows in pages. */
function shapeOf(database: Database, name: string): TableShape {
  const columns = columnsOf(database, name)
  const [{ wr } = { wr: 0 }] = database
    .query<{ wr: number }, [string]>('select wr from pragma_table_list where name = ?')
    .all(name)
  const keys = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
  const [key] = keys
  const ordered = wr === 1 ? [...keys, ...columns.filter(({ pk }) => pk === 0)] : columns
  const isRowid = wr === 0 && keys.length === 1 && key?.type === 'INTEGER'
  return {
    name,
    kind: wr === 1 ? 'index' : 'table',
    rowidColumn: isRowid ? key?.name : undefined,
    columns: ordered.map(({ name: column, type, notnull, pk }) => ({
      name: column,
      type,
      isRequired: notnull === 1 || pk > 0,
    })),
  }
}

function columnsOf(database: Database, table: string): ColumnInfo[] {
  return database
    .query<ColumnInfo, [string]>('select name, upper(type) as type, "notnull", pk from pragma_table_info(?)')
    .all(table)
}

/** Returns the root pages of tables that a file names: by the part of its schema that can still be read. */
function rootsIn(source: PageSource): ReadonlyMap<string, number> {
  const roots = new Map<string, number>()
  const seen = new Set<number>()
  const waiting = [1]
  let isBroken = false
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (seen.has(number) || number < 1 || number > source.count) continue
    seen.add(number)
    const page = readTreePage(source, number, new Set())
    if (page?.kind === 'table') waiting.push(...page.children)
    else isBroken = true
    for (const [name, root] of tablesIn(page)) roots.set(name, root)
  }
  if (isBroken)
    for (const [name, root] of orphanedTables(source, seen)) if (!roots.has(name)) roots.set(name, root)
  return roots
}

/** Entries of the schema below a page of it that cannot be read: nothing else looks like them. */
function* orphanedTables(
  source: PageSource,
  seen: ReadonlySet<number>,
): Generator<readonly [string, number]> {
  for (let number = 2; number <= source.count; number += 1)
    if (!seen.has(number)) yield* tablesIn(readTreePage(source, number, new Set()))
}

function tablesIn(page: TreePage | undefined): (readonly [name: string, root: number])[] {
  if (page?.kind !== 'table' || !page.isLeaf) return []
  return page.rows.flatMap(({ values }) => {
    const [type, name, , root, sql] = values
    const isTable = values.length === 5 && type === 'table' && String(sql).startsWith('CREATE TABLE')
    return isTable && typeof name === 'string' && typeof root === 'number' ? [[name, root] as const] : []
  })
}

/** SQLite's own table of the ids that were given out. */
export const sequenceTable = 'sqlite_sequence'

const sequences: TableShape = {
  name: sequenceTable,
  kind: 'table',
  rowidColumn: undefined,
  columns: [
    { name: 'name', type: 'TEXT', isRequired: true },
    { name: 'seq', type: 'INTEGER', isRequired: true },
  ],
}

/** Every table of a database, with its place in a damaged file. */
export function rootedShapes(database: Database, source: PageSource): RootedShape[] {
  const roots = rootsIn(source)
  const shapes = [sequences, ...tableNames(database).map((name) => shapeOf(database, name))]
  return shapes.map((shape) => ({ shape, root: roots.get(shape.name) }))
}
