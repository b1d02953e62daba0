import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { initialSchema } from './0001-initial.ts'
import { balanceShares } from './0002-balance-shares.ts'

/** Every change of the schema, oldest first, forward only. A released one is never edited: add another. */
const schemas: Readonly<Record<string, (dialect: SqlDialect) => string[]>> = {
  '0001-initial': initialSchema,
  '0002-balance-shares': balanceShares,
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
