import { getOrInsert } from '@tollgate/base'
import type { Row } from '../../../store/program.ts'
import type { Columns, Entity, Table } from '../../../store/schema/table.ts'
import type { Note, SourceRow } from '../import-source.ts'

type Read<Value> = { readonly value: Value; readonly changes: readonly Note[] } | { readonly leftOut: Note }

/** Reads a row as this program stores it; what it cannot read is left out. */
export function readable<Fields extends Columns, Value>(
  row: Row,
  table: Table<Fields>,
  read: (entity: Entity<Fields>) => Read<Value>,
): SourceRow<Value> {
  const id = String(row['id'])
  try {
    return { id, ...read(table.read(row)) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { id, leftOut: { reason: 'it cannot be read', example: `${id}: ${error.message}` } }
  }
}

/** A row that is not taken. */
export function left(reason: string, example: string): { readonly leftOut: Note } {
  return { leftOut: { reason, example } }
}

/** 0 is nobody. */
export function idOf(id: number): string {
  return id === 0 ? '' : String(id)
}

/** The rows by a key that some of them share. */
export function grouped<Of, Key>(
  rows: readonly Of[],
  keyOf: (row: Of) => Key,
): ReadonlyMap<Key, readonly Of[]> {
  const groups = new Map<Key, Of[]>()
  for (const row of rows) getOrInsert(groups, keyOf(row), noRows<Of>).push(row)
  return groups
}

const noRows = <Of>(): Of[] => []
