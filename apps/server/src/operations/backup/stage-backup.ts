import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { recoverJournal } from '../../billing/recover.ts'
import type { Logger } from '../../lib/logger.ts'
import { checkDatabase } from '../../store/engine/copy-database.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { type About, databaseCopy, unpackArchive } from './archive.ts'
import { journalOfBackup } from './backup-journal.ts'
import { BackupError } from './errors.ts'

/** A backup that was unpacked and proven. */
export interface StagedBackup {
  readonly about: About
  /** Settled calls of its journal that its database lacked, and has now. */
  readonly calls: number
}

/**
 * Unpacks a backup of a database into a directory of its own, proves it whole, brings its schema up to this program, and writes
 * what its journal has and the database lacks: afterwards the directory is a data directory.
 * @throws BackupError, StoreOpenError or SchemaTooNewError with one sentence
 */
export async function stageBackup(file: string, directory: string, logger: Logger): Promise<StagedBackup> {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return await stageUnpacked(file, await unpackArchive(file, directory), directory, logger)
}

/**
 * Does the same with an archive that is unpacked already.
 * @param file names it
 */
export async function stageUnpacked(
  file: string,
  about: About,
  directory: string,
  logger: Logger,
): Promise<StagedBackup> {
  if (about.content !== 'database')
    throw new BackupError(
      `${file} has the settled calls of a node alone: its database is in the dump that was made with it.`,
    )
  checkDatabase(join(directory, databaseCopy))
  const store = await openStore({
    dataDir: directory,
    // The backup itself is the copy of what was before, and stays as it is.
    upgradeCopy: 'none',
    announceUpgrade: () => undefined,
    logger,
  })
  try {
    if ((await store.ledger.databaseId()) !== about.database)
      throw new BackupError(`${file} has another database than it says.`)
    const journal = journalOfBackup(about, directory)
    if (journal === undefined) return { about, calls: 0 }
    const { calls } = await recoverJournal({ journal, repository: store.ledger, logger })
    return { about, calls }
  } finally {
    await store.close()
  }
}
