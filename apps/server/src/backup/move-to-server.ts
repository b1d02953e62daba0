import { existsSync } from 'node:fs'
import type { Logger } from '../lib/logger.ts'
import { describeServer } from '../store/address/postgres-address.ts'
import type { Copied, Progress } from '../store/copy/copy-tables.ts'
import { openFileSource } from '../store/copy/file-source.ts'
import { fillServer } from '../store/copy/fill-server.ts'
import { readSourceState } from '../store/copy/source-state.ts'
import { databaseFile } from '../store/open/database-file.ts'
import { refuseMovedFolder, writeMovedMarker } from '../store/open/moved-marker.ts'
import { BackupError } from './errors.ts'
import { holdJournal, refuseForeign, settleInto } from './folder-journal.ts'

export interface MoveToServer {
  readonly dataDir: string
  readonly journalDirectory: string
  /** The PostgreSQL database, which has no installation. */
  readonly url: string
  readonly progress: Progress
  readonly logger: Logger
  readonly now: Date
}

/** What was moved. */
export interface Moved extends Copied {
  /** Settled calls that only the journal had. */
  readonly calls: number
}

/**
 * Makes a PostgreSQL database a copy of the installation in a data directory, with what waits in its journal. The directory stays as it
 * is, but for a file that says where the installation lives now. A move that is killed has changed nothing.
 * @throws BackupError, StoreOpenError or JournalUnusableError with one sentence
 */
export async function moveToServer(options: MoveToServer): Promise<Moved> {
  const { dataDir, journalDirectory, url, logger, now } = options
  const file = databaseFile(dataDir)
  if (!existsSync(file))
    throw new BackupError(
      `There is no database ${file}: set DATA_DIR to the folder that is to be moved (pg_dump goes from one PostgreSQL to another).`,
    )
  refuseMovedFolder(dataDir)
  const journal = holdJournal(journalDirectory, logger)
  try {
    const source = openFileSource(file)
    try {
      const { database, isUsed } = await readSourceState(source)
      if (!isUsed || database === undefined)
        throw new BackupError(`${file} holds no installation yet: start with DATABASE_URL set instead.`)
      refuseForeign(journal, journalDirectory, database)
      let calls = 0
      const copied = await fillServer({
        ...options,
        source,
        async settle(store) {
          calls = await settleInto(store, journal, logger)
        },
      })
      writeMovedMarker(dataDir, { to: describeServer(url), database, at: now.toISOString() })
      return { ...copied, calls }
    } finally {
      await source.close()
    }
  } finally {
    await journal.close()
  }
}
