import { type SelectQueryBuilder, sql } from 'kysely'
import type { Columns, Entity, Table } from './schema/table.ts'

/** Range of a list's rows. */
export interface Page {
  readonly offset: number
  readonly limit: number
}

/** Some rows of a list, with the number of all its rows. */
export interface PageOf<Listed> {
  readonly rows: Listed[]
  readonly total: number
}

/** A page of an ordered query, with the exact total. */
export async function readPage<Database, From extends keyof Database, Fields extends Columns>(
  table: Table<Fields>,
  query: SelectQueryBuilder<Database, From, object>,
  { offset, limit }: Page,
): Promise<PageOf<Entity<Fields>>> {
  const [rows, total] = await Promise.all([
    table.all(query.offset(offset).limit(limit)),
    countRows(query.clearSelect().clearOrderBy()),
  ])
  return { rows, total }
}

/** The number of rows of a query that selects nothing yet. */
export async function countRows<Database, From extends keyof Database>(
  query: SelectQueryBuilder<Database, From, object>,
): Promise<number> {
  const counted = query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return Number(((await counted) as { readonly total: number }).total)
}

/** Decides whether the query finds a row, or returns one as changed. */
export async function hasRow(query: { executeTakeFirst(): Promise<object | undefined> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined
}

/** The ids of the rows that the query returns. */
export async function idsOf(query: {
  execute(): Promise<readonly { readonly id: number }[]>
}): Promise<number[]> {
  return (await query.execute()).map(({ id }) => id)
}
