import { postgresDialect } from '../dialects/postgres-dialect.ts'
import { sqliteDialect } from '../dialects/sqlite-dialect.ts'
import { requireCurrentSchema } from '../schema/migrate.ts'
import { type InstallationState, readInstallation, readMigrations } from '../state.ts'
import type { CopySource } from './copy-source.ts'

const dialects = { sqlite: sqliteDialect, postgres: postgresDialect }

/**
 * What a database says of the installation in it.
 * @throws StoreOpenError or SchemaTooNewError when its schema is not of this program
 */
export async function readSourceState({ kind, read }: CopySource): Promise<InstallationState> {
  requireCurrentSchema(await read(readMigrations(kind)), dialects[kind])
  return await read(readInstallation(kind))
}
