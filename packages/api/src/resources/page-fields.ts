/** Fields of a resource as the console's forms and lists read them: plain data, without zod. */
import { type FieldFacts, type FieldKind, kindOf, type Resource } from './resource.ts'

/** A field as the console's lists and forms read it: plain data, without zod. */
export interface FieldOfPage extends FieldFacts {
  /** In JSON. */
  readonly name: string
  readonly kind: FieldKind
  readonly isWritable: boolean
  readonly default?: unknown
}

/** The fields of a resource for lists and forms. */
export function pageFieldsOf({ fields }: Pick<Resource<never, never>, 'fields'>): readonly FieldOfPage[] {
  return fields.map(({ wireName: name, wireSchema, isWritable, default: initial, facts }) => ({
    name,
    kind: kindOf(wireSchema),
    isWritable,
    ...(initial !== undefined && { default: initial }),
    ...facts,
  }))
}

/** A column of a list: plain data, without zod. */
export interface ColumnOfPage extends Pick<FieldOfPage, 'name' | 'kind'> {
  readonly column: NonNullable<FieldFacts['column']>
}

/** The columns of a resource's lists. */
export function pageColumnsOf(resource: Pick<Resource<never, never>, 'fields'>): readonly ColumnOfPage[] {
  return pageFieldsOf(resource).flatMap(({ name, kind, column }) =>
    column === undefined ? [] : [{ name, kind, column }],
  )
}

/** Names of the fields that lists sort or filter by. */
export function listedNames({ fields }: Pick<Resource<never, never>, 'fields'>): readonly string[] {
  return fields.filter(({ facts }) => facts.filter || facts.column?.sort).map(({ name }) => name)
}

/** A declared filter of a list: plain data, without zod. */
export type FilterOfPage = Pick<FieldOfPage, 'name' | 'kind'>

/** The declared filters of a resource's lists. */
export function pageFiltersOf(resource: Pick<Resource<never, never>, 'fields'>): readonly FilterOfPage[] {
  return pageFieldsOf(resource)
    .filter(({ filter }) => filter)
    .map(({ name, kind }) => ({ name, kind }))
}
