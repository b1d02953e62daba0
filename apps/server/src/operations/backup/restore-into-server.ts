import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../../lib/logger.ts'
import { secretFiles } from '../../lib/master-secret.ts'
import type { Progress } from '../../store/engine/copy/copy-tables.ts'
import { openFileSource } from '../../store/engine/copy/file-source.ts'
import { fillServer } from '../../store/engine/copy/fill-server.ts'
import { type About, databaseCopy } from './archive.ts'
import type { Moved } from './move-to-server.ts'
import { stageUnpacked } from './stage-backup.ts'

/** A backup that was unpacked into a directory of its own. */
export interface Unpacked {
  /** Names it. */
  readonly file: string
  readonly directory: string
  readonly about: About
}

interface RestoreIntoServer extends Unpacked {
  /** The PostgreSQL database, which has no installation. */
  readonly url: string
  /** Gets the secret of the backup, where it has none. */
  readonly dataDir: string
  readonly progress: Progress
  readonly logger: Logger
}

/**
 * Makes a PostgreSQL database of a backup that has a database, with the settled calls of its journal: all of it or nothing.
 * @throws BackupError, StoreOpenError or SchemaTooNewError with one sentence
 */
export async function restoreIntoServer(
  options: RestoreIntoServer,
): Promise<Moved & { readonly hasSecret: boolean }> {
  const { file, directory, about, dataDir, logger } = options
  const { calls } = await stageUnpacked(file, about, directory, logger)
  const source = openFileSource(join(directory, databaseCopy))
  try {
    const copied = await fillServer({ ...options, source, settle: async () => undefined })
    return { ...copied, calls, hasSecret: takeSecret(directory, dataDir) }
  } finally {
    await source.close()
  }
}

/** Copies the secret, unless there is one; true when the data directory has a secret now. */
function takeSecret(directory: string, dataDir: string): boolean {
  if (secretFiles(dataDir).length > 0) return true
  const names = secretFiles(directory)
  if (names.length > 0) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  for (const name of names) copyFileSync(join(directory, name), join(dataDir, name))
  return names.length > 0
}
