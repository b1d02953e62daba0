import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tollgate/base'
import { recoverJournal } from '../../billing/recover.ts'
import { upgradeRecord } from '../../billing/upgrade-record.ts'
import type { Logger } from '../../lib/logger.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { unpackArchive } from './archive.ts'
import { journalOfBackup } from './backup-journal.ts'
import { BackupError } from './errors.ts'
import { holdJournal } from './folder-journal.ts'

interface Options {
  /** A backup of a node that has no database. */
  readonly file: string
  readonly dataDir: string
  readonly journalDirectory: string
  readonly logger: Logger
}

/**
 * Writes the settled calls of a node of a fleet into the file that its database has become, each once.
 * @returns how many the file lacked
 * @throws BackupError, StoreOpenError or JournalUnusableError with one sentence
 */
export async function restoreNodeCalls(options: Options): Promise<number> {
  const { file, dataDir, journalDirectory, logger } = options
  if (!existsSync(databaseFile(dataDir)))
    throw new BackupError(
      `${file} has the settled calls of a node alone: restore the database that belongs to it into ${dataDir} first, or set DATABASE_URL.`,
    )
  const unpacked = mkdtempSync(join(tmpdir(), 'tollgate-restore-'))
  const held = holdJournal(journalDirectory, logger)
  try {
    const journal = journalOfBackup(await unpackArchive(file, unpacked), unpacked)
    if (journal === undefined) return 0
    const store = await openStore({ dataDir, ...upgradeRecord(journal.node, systemClock, logger), logger })
    const settled = recoverJournal({ journal, repository: store.ledger, logger })
    return (await settled.finally(() => store.close())).calls
  } finally {
    await held.close()
    rmSync(unpacked, { recursive: true, force: true })
  }
}
