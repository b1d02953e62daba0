import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { initialSchema } from './0001-initial.ts'
import { fleetSchema } from './0003-fleet.ts'

/** Every change of the schema, oldest first, forward only. A released one is never edited: add another. */
const schemas: Readonly<Record<string, (dialect: SqlDialect) => string[]>> = {
  '0001-initial': initialSchema,
  '0003-fleet': fleetSchema,
}

/**
 * The last migration that the oldest program knows which works on this schema. A migration that only adds leaves it, so that
 * nodes of both versions run side by side during an upgrade; one that removes raises it to a version which needs what it
 * removes no more.
 */
export const oldestProgram = '0003-fleet'

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
