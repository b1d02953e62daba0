/** Columns of the fields that a resource declares, in the tables of other gateways and in our own. */
import { type FieldOfPage, pageFieldsOf, type Resource, snakeCase } from '@tollgate/api'
import type { z } from 'zod'
import { flag, whole, word } from './values.ts'

type Declared = Pick<Resource<never, never>, 'fields'>

/** Names of the columns that our own tables have for the writable fields. */
export function ownColumns({ fields }: Declared): readonly string[] {
  return fields.filter(({ isWritable }) => isWritable).map(({ name }) => snakeCase(name))
}

/** Names of the writable fields in JSON: another gateway of the same contract calls its columns so, as far as it has them. */
export function foreignColumns(resource: Declared): readonly string[] {
  return writableOf(resource).map(({ name }) => name)
}

/**
 * Readers of the columns of `foreignColumns`; one that a database lacks has the default of a new record. The type names none of
 * them, so that nothing else reads a column that it does not list itself.
 */
export function foreignCells(resource: Declared): Readonly<Record<never, z.ZodType>> {
  return Object.fromEntries(writableOf(resource).map((each) => [each.name, cellOf(each)]))
}

/** What `foreignCells` read of a row. */
export function foreignFields(resource: Declared, row: object): Readonly<Record<string, unknown>> {
  const cells = new Map(Object.entries(row))
  return Object.fromEntries(foreignColumns(resource).map((name) => [name, cells.get(name)]))
}

const writableOf = (resource: Declared) => pageFieldsOf(resource).filter(({ isWritable }) => isWritable)

function cellOf({ kind, default: initial }: FieldOfPage): z.ZodType {
  if (kind === 'flag') return flag
  return kind === 'text' ? word(String(initial ?? '')) : whole(Number(initial ?? 0))
}
