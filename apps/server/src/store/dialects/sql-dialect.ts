import type { RawBuilder } from 'kysely'
import type { BatchStatement, Value } from '../program.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** The hint that names the index to read; empty where the planner finds it. */
export type IndexHint = 'indexed by' | ''

/** Names and types of the items in rows, in their order. */
export type RowColumns = Readonly<Record<string, 'integer' | 'real' | 'text'>>

/** Values in the order of some `RowColumns`. */
export type Rows = readonly (readonly Value[])[]

/** The differences of the two databases as texts, each with a name: all that their threads need, which do not load the query builder. */
export interface SqlTexts {
  readonly kind: DatabaseKind
  /** Type of a 64-bit primary key whose values are never reused. */
  readonly newId: string
  readonly integer: string
  readonly real: string
  readonly bytes: string
  /** Suffix of an expression that is compared byte by byte, in every locale of the database. */
  readonly byteOrder: string
  /** An expression that generates a random text. */
  readonly randomText: string
  /** An expression for the clock of the database, in ms since 1970. */
  readonly nowMs: string
  /** Ends `create table`. */
  readonly tableEnd: string
  /** Ends `create table` of a table that is always read by its primary key. */
  readonly keyedTableEnd: string
  /** Inserts rows; `onConflict` may say how existing ones change. */
  insertRows(table: string, columns: RowColumns, rows: Rows, onConflict: string): BatchStatement
  /**
   * Updates the rows of a table by their ids, the first of each of `rows`. `sets` says what becomes of their columns;
   * its argument is how each of `columns` is written.
   */
  updateRows(
    table: string,
    columns: RowColumns,
    sets: (incoming: (name: string) => string) => string,
    rows: Rows,
  ): BatchStatement
  /** Between a table and the index that must be read. */
  readonly indexHint: IndexHint
  /** SQL with `?` for its parameters, in the database's form. It must contain no other `?`. */
  placeholders(text: string): string
  /** Statements that open a transaction which adds rows to the log. */
  readonly beforeLogRows: readonly string[]
  /** Statements of a transaction that waits, briefly, until no other one is adding rows to the log. */
  readonly betweenLogRows: readonly string[]
  /** Ends a `select` of a row that the transaction goes on to change. */
  readonly lockRow: string
  /** Statements of a transaction that changes options: no other one does, and none relies on them, until it ends. */
  readonly beforeOptions: readonly string[]
  /** Statements of a transaction that relies on options as they are: none changes until it ends. */
  readonly besideOptions: readonly string[]
  /** Statements that open a flush. */
  readonly beforeFlush: readonly string[]
  /** Statements after which a table gives out no id up to this one. */
  passIds(table: string, id: number): readonly string[]
  /** Statements that make a transaction durable when its commit returns. */
  readonly makeDurable: readonly string[]
  /** Statements around the erasure of texts, so that nothing of them is left in the database's files. */
  readonly beforeErasing: readonly string[]
  readonly afterErasing: readonly string[]
}

/** The same, with what is of the query builder. */
export interface SqlDialect extends SqlTexts {
  /** Returns a condition that a column is one of these values; one statement for any number of them. */
  isOneOf(column: string, values: readonly string[] | readonly number[]): RawBuilder<boolean>
}

/** Quoted names of columns, as in an insert. */
export function columnList(columns: RowColumns): string {
  return Object.keys(columns).map(quoted).join(', ')
}

export function quoted(name: string): string {
  return `"${name}"`
}
