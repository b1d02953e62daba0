import { nameOf } from '@tollgate/api/roles'
import { snakeCase } from '@tollgate/api/snake-case'
import type { Generated, Insertable, Selectable, Updateable } from 'kysely'
import type { RowColumns } from '../dialects/sql-dialect.ts'
import type { Value } from '../program.ts'
import { storableText } from './text.ts'

/** Storage of a field's value in its column. */
export interface Column<Value, Stored> {
  readonly type: 'integer' | 'real' | 'text'
  readonly isNullable: boolean
  encode(value: Value): Stored
  decode(stored: Stored): Value
}

const same = <Value>(value: Value): Value => value

/** An integer of 64 bits in the database, a safe integer here. */
export function integer(): Column<number, number> {
  return { type: 'integer', isNullable: false, encode: same, decode: same }
}

/** A primary key that the database generates. */
export function generatedId(): Column<number, Generated<number>> {
  return withDefault(integer())
}

/** A column that the database fills in where an insert leaves it out. `Generated` declares this to Kysely. */
export function withDefault<Value, Stored>(column: Column<Value, Stored>): Column<Value, Generated<Stored>> {
  return column as unknown as Column<Value, Generated<Stored>>
}

/** An integer, or `null`. */
export function optionalInteger(): Column<number | null, number | null> {
  return { type: 'integer', isNullable: true, encode: same, decode: same }
}

const { MAX_SAFE_INTEGER } = Number

/** A number with a fraction, bounded to the range of both databases. */
export function real(): Column<number, number> {
  return {
    type: 'real',
    isNullable: false,
    encode: (value) => Math.max(-MAX_SAFE_INTEGER, Math.min(MAX_SAFE_INTEGER, value || 0)),
    decode: Number,
  }
}

/** A text. `Value` narrows its type where only words of the contract are ever written. */
export function text<Value extends string = string>(): Column<Value, string> {
  return { type: 'text', isNullable: false, encode: storableText, decode: (stored) => stored as Value }
}

/** A boolean, stored as 1 or 0. */
export function flag(): Column<boolean, Flag> {
  return {
    type: 'integer',
    isNullable: false,
    encode: (value) => (value ? 1 : 0),
    decode: (stored) => stored === 1,
  }
}

/** Stored boolean: one code path for a database with booleans and one without. */
export type Flag = 0 | 1

/** A name, stored as its number in the contract. */
export function named<Name extends string>(numbers: Readonly<Record<Name, number>>): Column<Name, number> {
  return {
    type: 'integer',
    isNullable: false,
    encode: (name) => numbers[name],
    decode(stored) {
      const name = nameOf(numbers, stored)
      if (name === undefined)
        throw new Error(`the database has ${stored}, not one of ${Object.values(numbers)}`)
      return name
    },
  }
}

/** A value, stored as JSON. */
export function json<Value>(): Column<Value, string> {
  return {
    type: 'text',
    isNullable: false,
    encode: (value) => storableText(JSON.stringify(value)),
    decode: (stored) => JSON.parse(stored) as Value,
  }
}

/** Texts, stored as a JSON array that SQL of both databases can read. */
export function textList(): Column<readonly string[], string> {
  const list = json<readonly string[]>()
  return { ...list, encode: (texts) => list.encode(texts.map(storableText)) }
}

/** The fields of a table, each with its column. */
export type Columns = Readonly<Record<string, Column<unknown, unknown>>>

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

/** The fields of a row's columns. */
export type Entity<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Column<infer Value, unknown> ? Value : never
}
type Row<Fields> = {
  [Name in keyof Fields & string as SnakeCase<Name>]: Fields[Name] extends Column<unknown, infer Stored>
    ? Stored
    : never
}

/** The entity that a repository returns for a row of the table. */
export type EntityOf<SomeTable> = SomeTable extends Table<infer Fields> ? Entity<Fields> : never

/** A row of the table as Kysely sees it. */
export type RowOf<SomeTable> = SomeTable extends Table<infer Fields> ? Row<Fields> : never

interface NamedColumn {
  readonly field: string
  readonly name: string
  readonly column: Column<unknown, unknown>
}

/** A query of Kysely that is not run yet. */
interface Query {
  execute(): Promise<readonly object[]>
  executeTakeFirst(): Promise<object | undefined>
}

/** A table, declared once: its fields and how each is stored. A column has the name of its field in snake case. */
export class Table<Fields extends Columns> {
  readonly name: string
  readonly #fields: Fields
  readonly #columns: readonly NamedColumn[]

  constructor(name: string, fields: Fields) {
    this.name = name
    this.#fields = fields
    this.#columns = Object.entries(fields).map(([field, column]) => ({
      field,
      name: snakeCase(field),
      column,
    }))
  }

  /** The columns by their names: what the schema must have. */
  get columns(): Readonly<Record<string, Column<unknown, unknown>>> {
    return Object.fromEntries(this.#columns.map(({ name, column }) => [name, column]))
  }

  /** The columns in the form of a dialect's `insertRows` and `updateRows`. */
  get columnTypes(): RowColumns {
    return Object.fromEntries(this.#columns.map(({ name, column }) => [name, column.type]))
  }

  /** Names of the columns, for a `select`. */
  get columnNames(): readonly (keyof Row<Fields> & string)[] {
    return this.#columns.map(({ name }) => name as keyof Row<Fields> & string)
  }

  /** The entity of a row; columns of other tables in it are ignored. */
  readonly read = (row: object): Entity<Fields> => {
    const stored = row as Readonly<Record<string, unknown>>
    const entity: Record<string, unknown> = {}
    for (const { field, name, column } of this.#columns) entity[field] = column.decode(stored[name])
    // Every field has its column.
    return entity as Entity<Fields>
  }

  /** The entity of the query's first row. */
  async first(query: Query): Promise<Entity<Fields> | undefined> {
    const row = await query.executeTakeFirst()
    return row && this.read(row)
  }

  /** The entities of all rows of the query. */
  async all(query: Query): Promise<Entity<Fields>[]> {
    return (await query.execute()).map(this.read)
  }

  /** The entities of the query's rows by their ids. */
  async byId(query: {
    execute(): Promise<readonly { readonly id: number }[]>
  }): Promise<ReadonlyMap<number, Entity<Fields>>> {
    return new Map((await query.execute()).map((row) => [row.id, this.read(row)]))
  }

  /** The row of a new entity. Columns of absent fields, which the database fills in, are left out. */
  insertion(entity: Partial<Entity<Fields>>): Insertable<Row<Fields>> {
    return this.#encode(entity) as Insertable<Row<Fields>>
  }

  /** A condition that compares columns with their required values: `where(({ and }) => and(table.filter(…)))`. */
  filter(fields: { readonly [Name in keyof Fields]?: Entity<Fields>[Name] | undefined }) {
    return this.#encode(fields) as Partial<Selectable<Row<Fields>>>
  }

  /** The columns of a change; absent and `undefined` fields write nothing. */
  change(change: Partial<Entity<Fields>>): Updateable<Row<Fields>> {
    return this.#encode(change) as Updateable<Row<Fields>>
  }

  /** The stored values in the order of `columnTypes`. */
  values(entity: Entity<Fields>): Value[] {
    const provided = entity as Readonly<Record<string, unknown>>
    return this.#columns.map(({ field, column }) => column.encode(provided[field]) as Value)
  }

  /** The same table with these fields alone. */
  pick<Name extends keyof Fields & string>(names: readonly Name[]): Table<Pick<Fields, Name>> {
    const picked = Object.fromEntries(names.map((name) => [name, this.#fields[name]]))
    return new Table(this.name, picked as Pick<Fields, Name>)
  }

  /** This table joined with another one by equal ids. */
  join<Others extends Columns>(other: Table<Others>): Table<Fields & Others> {
    return new Table(this.name, { ...this.#fields, ...other.#fields })
  }

  #encode(entity: object): Record<string, unknown> {
    const provided = entity as Readonly<Record<string, unknown>>
    const row: Record<string, unknown> = {}
    for (const { field, name, column } of this.#columns)
      if (provided[field] !== undefined) row[name] = column.encode(provided[field])
    return row
  }
}

/** Declares a table by its name and its fields. */
export function defineTable<Fields extends Columns>(name: string, fields: Fields): Table<Fields> {
  return new Table(name, fields)
}
