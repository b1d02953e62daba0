import { existsSync } from 'node:fs'
import type { Journal } from '../../billing/journal/journal.ts'
import type { Logger } from '../../lib/logger.ts'
import { describeServer } from '../../store/engine/address/postgres-address.ts'
import type { CopySource } from '../../store/engine/copy/copy-source.ts'
import type { Copied, Progress } from '../../store/engine/copy/copy-tables.ts'
import { openFileSource } from '../../store/engine/copy/file-source.ts'
import { fillServer } from '../../store/engine/copy/fill-server.ts'
import { readSourceState } from '../../store/engine/copy/source-state.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import {
  leavingText,
  readMovedMarker,
  refuseMovedFolder,
  writeMovedMarker,
} from '../../store/engine/open/moved-marker.ts'
import { BackupError } from './errors.ts'
import { holdJournal, refuseForeign, settleInto } from './folder-journal.ts'
import { finishMove } from './interrupted-move.ts'

export interface MoveToServer {
  readonly dataDir: string
  readonly journalDirectory: string
  /** The PostgreSQL database, which has no installation. */
  readonly url: string
  readonly progress: Progress
  readonly logger: Logger
  readonly now: Date
}

/** Numbers of moved tables, rows and calls. */
export interface Moved extends Copied {
  /** Settled calls that only the journal had. */
  readonly calls: number
}

/**
 * Makes a PostgreSQL database a copy of the installation in a data directory, with what waits in its journal. The directory stays as it
 * is, but for a file that says where the installation lives. The server's commit is the one moment in which the installation changes
 * its place: a move that is killed before has changed nothing, and around that moment the file refuses to be used until it is known.
 * @returns `undefined` when an interrupted move had brought everything already
 * @throws BackupError, StoreOpenError or JournalUnusableError with one sentence
 */
export async function moveToServer(options: MoveToServer): Promise<Moved | undefined> {
  const { dataDir, journalDirectory, url, logger } = options
  const file = databaseFile(dataDir)
  if (!existsSync(file))
    throw new BackupError(
      `There is no database ${file}: set DATA_DIR to the folder that is to be moved (pg_dump goes from one PostgreSQL to another).`,
    )
  const marker = readMovedMarker(dataDir)
  if (marker?.state !== 'leaving') refuseMovedFolder(dataDir)
  const journal = holdJournal(journalDirectory, logger)
  try {
    if (marker?.state === 'leaving' && (await finishMove(dataDir, url, marker))) return undefined
    const source = openFileSource(file)
    return await carry(options, source, journal).finally(() => source.close())
  } finally {
    await journal.close()
  }
}

async function carry(options: MoveToServer, source: CopySource, journal: Journal): Promise<Moved> {
  const { dataDir, journalDirectory, url, logger, now } = options
  const { database, isUsed } = await readSourceState(source)
  if (!isUsed || database === undefined)
    throw new BackupError(
      `${databaseFile(dataDir)} holds no installation yet: start with DATABASE_URL set instead.`,
    )
  refuseForeign(journal, journalDirectory, database)
  const destination = { to: describeServer(url), database, at: now.toISOString() }
  let calls = 0
  let isCommitting = false
  const copied = await fillServer({
    ...options,
    source,
    async settle(store) {
      calls = await settleInto(store, journal, logger)
    },
    committing(transaction) {
      writeMovedMarker(dataDir, { state: 'leaving', ...destination, ...transaction })
      isCommitting = true
    },
  }).catch((cause) => {
    // The connection was lost before the server said whether it had committed.
    if (isCommitting) throw new BackupError(leavingText(dataDir, destination), { cause })
    throw cause
  })
  writeMovedMarker(dataDir, { state: 'moved', ...destination })
  return { ...copied, calls }
}
