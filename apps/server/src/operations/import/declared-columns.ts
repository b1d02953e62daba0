/** Columns of the fields that a resource declares, in the tables of other gateways and in our own. */
import { type FieldOfPage, pageFieldsOf, type Resource, snakeCase } from '@tollgate/api'
import type { z } from 'zod'
import { Refusal, refuseLimit } from '../../lib/refusal.ts'
import type { Columns, Table } from '../../store/schema/table.ts'
import { flag, whole, word } from './values.ts'

type Declared = Pick<Resource<never, never>, 'fields'>

/** Names of the columns that one of our own tables has for the writable fields. */
export function ownColumns(
  { fields }: Declared,
  { columns }: Pick<Table<Columns>, 'columns'>,
): readonly string[] {
  const names = fields.filter(({ isWritable }) => isWritable).map(({ name }) => snakeCase(name))
  return names.filter((name) => name in columns)
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

/** The cells that `foreignCells` reads of a row. */
export function foreignFields(resource: Declared, row: object): Readonly<Record<string, unknown>> {
  const cells = new Map(Object.entries(row))
  return Object.fromEntries(foreignColumns(resource).map((name) => [name, cells.get(name)]))
}

interface Reads<Read> {
  fromUpdateBody(body: never, refuse: typeof refuseLimit): Read
}

/**
 * Reads fields each for itself, so that one which is not valid here does not cost the others.
 * @returns the names of those that are not valid, too
 */
export function readEach<Read extends object>(
  resource: Reads<Read>,
  sent: Readonly<Record<string, unknown>>,
): { readonly fields: Partial<Read>; readonly invalid: readonly string[] } {
  let fields: Partial<Read> = {}
  const invalid: string[] = []
  for (const [name, value] of Object.entries(sent))
    try {
      // `foreignCells` read the value by the kind of its field.
      fields = { ...fields, ...resource.fromUpdateBody({ [name]: value } as never, refuseLimit) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      invalid.push(name)
    }
  return { fields, invalid }
}

const writableOf = (resource: Declared) => pageFieldsOf(resource).filter(({ isWritable }) => isWritable)

function cellOf({ kind, default: initial }: FieldOfPage): z.ZodType {
  if (kind === 'flag') return flag
  return kind === 'text' ? word(String(initial ?? '')) : whole(Number(initial ?? 0))
}
