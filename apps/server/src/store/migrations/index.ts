import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { initialSchema } from './0001-initial.ts'
import { limitCounts } from './0004-limit-counts.ts'

/** Every change of the schema, oldest first, forward only. A released one is never edited: add another. */
const schemas: Readonly<Record<string, (dialect: SqlDialect) => string[]>> = {
  '0001-initial': initialSchema,
  '0004-limit-counts': limitCounts,
}

/** The migrations as Kysely runs them. */
export function migrations(dialect: SqlDialect): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, statements]) => [
      name,
      {
        async up(db) {
          for (const statement of statements(dialect)) await sql.raw(statement).execute(db)
        },
      } satisfies Migration,
    ]),
  )
}
