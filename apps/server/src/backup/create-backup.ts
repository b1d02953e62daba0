import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, monotonicClock } from '@tollgate/base'
import { readRunningJournal } from '../billing/journal/read-running.ts'
import { syncDirectory } from '../lib/durable-file.ts'
import type { Logger } from '../lib/logger.ts'
import { secretFiles } from '../lib/master-secret.ts'
import { copyDatabase } from '../store/open/copy-database.ts'
import { databaseFile } from '../store/open/database-file.ts'
import { lockDirectory } from '../store/open/directory-lock.ts'
import type { AuditStore } from '../store/open/open-audit.ts'
import { databaseCopy, entriesFile, packArchive, writeAbout } from './archive.ts'
import { BackupError } from './errors.ts'

interface Options {
  /** Where the backup goes. */
  readonly file: string
  /** Replaces a file of that name. */
  readonly isForced: boolean
  readonly dataDir: string
  readonly journalDirectory: string
  /** Whether the database is a file in the data directory; otherwise its own tools dump it. */
  readonly hasDatabaseFile: boolean
  readonly store: AuditStore
  /** Puts the secret files into the backup. */
  readonly withSecret: boolean
  readonly version: string
  readonly logger: Logger
  /** The wall clock. */
  readonly clock: Clock
}

export interface CreatedBackup {
  /** Settled calls that the database did not have. */
  readonly calls: number
  readonly hasSecret: boolean
}

/**
 * Backs an installation up while it serves. The journal is read before the database is copied: what was settled before is in
 * one of them, and the copy's journal position says which part of the journal it has.
 * @throws BackupError, StoreOpenError or JournalUnusableError with one sentence
 */
export async function createBackup(options: Options): Promise<CreatedBackup> {
  const { file, isForced } = options
  if (existsSync(file) && !isForced) throw new BackupError(`${file} is there already: --force replaces it.`)
  const work = `${file}.partial`
  const lock = claim(work)
  try {
    const content = join(work, 'content')
    rmSync(content, { recursive: true, force: true })
    mkdirSync(content, { mode: 0o700 })
    const created = await collect(options, content)
    const archive = join(work, 'archive.tar')
    rmSync(archive, { force: true })
    await packArchive(content, archive)
    syncFile(archive)
    renameSync(archive, file)
    syncDirectory(dirname(file))
    return created
  } finally {
    lock.release()
    rmSync(work, { recursive: true, force: true })
  }
}

/** The folder beside the file in which the backup is put together. A killed backup leaves it, and the next one uses it. */
function claim(work: string) {
  try {
    mkdirSync(work, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new BackupError(`${dirname(work)} cannot be written: choose another place.`, { cause })
  }
  const lock = lockDirectory(work)
  if (lock === undefined) throw new BackupError(`Another backup is being written to ${work}.`)
  return lock
}

async function collect(options: Options, content: string): Promise<CreatedBackup> {
  const { store, dataDir, journalDirectory, hasDatabaseFile, withSecret, logger, clock } = options
  const journal = await readRunningJournal(journalDirectory, (node) => store.ledger.journalPosition(node), {
    clock: monotonicClock,
    logger,
  })
  const entries = journal?.entries ?? []
  for (const { bytes } of entries) appendFileSync(join(content, entriesFile), bytes)
  if (hasDatabaseFile) copyDatabase(databaseFile(dataDir), join(content, databaseCopy))
  const secrets = withSecret ? secretFiles(dataDir) : []
  for (const name of secrets) copyFileSync(join(dataDir, name), join(content, name))
  writeAbout(content, {
    format: 1,
    version: options.version,
    createdAt: new Date(clock.now()).toISOString(),
    content: hasDatabaseFile ? 'database' : 'journal',
    database: await store.ledger.databaseId(),
    ...(journal !== undefined && { node: journal.node }),
  })
  return { calls: entries.length, hasSecret: secrets.length > 0 }
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
