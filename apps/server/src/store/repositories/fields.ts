import { nameOf } from '@tollgate/api/roles'
import type { Value } from '../program.ts'
import { storableText } from '../text.ts'

type StoredRow = Readonly<Record<string, unknown>>
type Columns = Record<string, Value>

/** How one field of an entity stands in its table. */
export interface Field<FieldValue> {
  write(value: FieldValue): Columns
  read(row: StoredRow): FieldValue
}

/** One line per field of the entity: the only place that knows both names. */
export type Fields<Entity> = { readonly [Name in keyof Entity]: Field<Entity[Name]> }

export function readEntity<Entity>(fields: Fields<Entity>, row: StoredRow): Entity {
  const entity: Partial<Entity> = {}
  for (const name in fields) entity[name] = fields[name].read(row)
  // `Fields` has a line for every field of the entity.
  return entity as Entity
}

/**
 * The columns that the given fields write; absent and `undefined` fields write nothing.
 * `Row` is what the table takes: the fields' lines are checked against it by the contract tests, not by the compiler.
 */
export function writeColumns<Entity, Row>(fields: Fields<Entity>, values: Partial<Entity>): Row {
  const columns: Columns = {}
  for (const name in fields) {
    const value = values[name]
    if (value !== undefined) Object.assign(columns, fields[name].write(value as Entity[typeof name]))
  }
  return columns as Row
}

export function integer(column: string): Field<number> {
  return { write: (value) => ({ [column]: value }), read: (row) => row[column] as number }
}

export function optionalInteger(column: string): Field<number | null> {
  return { write: (value) => ({ [column]: value }), read: (row) => row[column] as number | null }
}

/** A figure of somebody else's, kept within what both databases hold. */
export function real(column: string): Field<number> {
  const { MAX_SAFE_INTEGER } = Number
  const within = (value: number) => Math.max(-MAX_SAFE_INTEGER, Math.min(MAX_SAFE_INTEGER, value || 0))
  return { write: (value) => ({ [column]: within(value) }), read: (row) => Number(row[column]) }
}

export function text(column: string): Field<string> {
  return { write: (value) => ({ [column]: storableText(value) }), read: (row) => row[column] as string }
}

export function flag(column: string): Field<boolean> {
  return { write: (value) => ({ [column]: value ? 1 : 0 }), read: (row) => row[column] === 1 }
}

/** A name that stands as its number of the wire. */
export function named<Name extends string>(
  column: string,
  table: Readonly<Record<Name, number>>,
): Field<Name> {
  return {
    write: (name) => ({ [column]: table[name] }),
    read(row) {
      const name = nameOf(table, Number(row[column]))
      if (name === undefined) throw new Error(`${column} ${row[column]} in the database is unknown`)
      return name
    },
  }
}

/** A value that stands as JSON. */
export function json<Shape>(column: string): Field<Shape> {
  return {
    write: (value) => ({ [column]: storableText(JSON.stringify(value)) }),
    read: (row) => JSON.parse(String(row[column])) as Shape,
  }
}

/** Texts that stand as a JSON array, such as both databases can take apart. */
export function textList(column: string): Field<readonly string[]> {
  const list = json<readonly string[]>(column)
  return { write: (texts) => list.write(texts.map(storableText)), read: list.read }
}
