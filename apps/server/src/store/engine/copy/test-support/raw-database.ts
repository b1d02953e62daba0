import { postgresDialect } from '../../../dialects/postgres-dialect.ts'
import { sqliteDialect } from '../../../dialects/sqlite-dialect.ts'

/** A file of a test's own, written past the store. */
export { Database } from 'bun:sqlite'

/** Dialects that write the schema of either kind of database. */
export const dialects = { sqlite: sqliteDialect, postgres: postgresDialect } as const
