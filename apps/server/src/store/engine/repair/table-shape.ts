import type { StoredValue } from './record.ts'
import type { StoredRow } from './tree.ts'

interface ShapeColumn {
  readonly name: string
  /** Type as declared: `INTEGER`, `REAL`, `TEXT`, `BLOB`. */
  readonly type: string
  readonly isRequired: boolean
}

/** Layout of a table's rows in its pages. */
export interface TableShape {
  readonly name: string
  readonly kind: 'table' | 'index'
  /** Columns in the order in which records have them. */
  readonly columns: readonly ShapeColumn[]
  /** The column that is the row id itself, and is stored as nothing. */
  readonly rowidColumn: string | undefined
}

/** A row as it is inserted: values by the names of their columns. */
export type NamedRow = readonly (readonly [column: string, value: StoredValue])[]

const types: Readonly<Record<string, (value: StoredValue) => boolean>> = {
  INTEGER: (value) => (typeof value === 'number' ? Number.isInteger(value) : typeof value === 'bigint'),
  REAL: (value) => typeof value === 'number' || typeof value === 'bigint',
  TEXT: (value) => typeof value === 'string',
  BLOB: (value) => value instanceof Uint8Array,
}

/** The row by the columns of a table; `undefined` when it cannot be one of that table. */
export function fitRow(
  { columns, rowidColumn, kind }: TableShape,
  { rowid, values }: StoredRow,
): NamedRow | undefined {
  if ((rowid === undefined) !== (kind === 'index') || values.length > columns.length) return undefined
  const named: [string, StoredValue][] = []
  for (const [index, value] of values.entries()) {
    const column = columns[index]
    if (column === undefined) return undefined
    const isRowid = column.name === rowidColumn
    // Columns that came later are absent in rows from before, and have their default.
    const stored = isRowid && value === null ? (rowid ?? null) : value
    if (!isRowid && value === null ? column.isRequired : !fits(column, stored)) return undefined
    named.push([column.name, stored])
  }
  return named
}

function fits({ type }: ShapeColumn, value: StoredValue): boolean {
  const declared = type.startsWith('VARCHAR') ? 'TEXT' : type
  return value === null || types[declared]?.(value) === true
}
