import { type InstallationState, readInstallation } from '../state.ts'
import { requireCurrentSchema } from '../upgrade/require-current.ts'
import { readSchemaState } from '../upgrade/schema-state.ts'
import type { CopySource } from './copy-source.ts'

/**
 * Reads the state of the installation in a database.
 * @throws StoreOpenError or SchemaTooNewError when its schema is not of this program
 */
export async function readSourceState({ kind, read }: CopySource): Promise<InstallationState> {
  requireCurrentSchema(await read(readSchemaState(kind)))
  return await read(readInstallation(kind))
}
