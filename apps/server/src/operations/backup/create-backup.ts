import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, monotonicClock } from '@tollgate/base'
import { readRunningJournal } from '../../billing/journal/read-running.ts'
import { settledOf } from '../../billing/write-behind/replay-journal.ts'
import { syncDirectory, syncFile } from '../../lib/durable-file.ts'
import type { Logger } from '../../lib/logger.ts'
import { secretFiles } from '../../lib/master-secret.ts'
import { fillFile } from '../../store/engine/copy/fill-file.ts'
import { openServerSource } from '../../store/engine/copy/server-source.ts'
import { readSourceState } from '../../store/engine/copy/source-state.ts'
import { copyDatabase } from '../../store/engine/copy-database.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { lockDirectory } from '../../store/engine/open/directory-lock.ts'
import type { AuditStore } from '../../store/engine/open/open-audit.ts'
import { databaseCopy, entriesFile, packArchive, spansFile, writeAbout } from './archive.ts'
import { spansOf } from './backup-journal.ts'
import { BackupError } from './errors.ts'

const lockName = 'lock'

interface Options {
  /** Path of the backup. */
  readonly file: string
  /** Replaces a file of that name. */
  readonly isForced: boolean
  readonly dataDir: string
  readonly journalDirectory: string
  /** The database that goes into the file. A PostgreSQL database may be left to its own tools. */
  readonly database: 'file' | 'none' | { readonly url: string }
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
  const { file } = options
  refuseExisting(options)
  try {
    return await createInFolder(options, `${file}.partial`)
  } catch (error) {
    throw toBackupError(error, file)
  }
}

async function createInFolder(options: Options, work: string): Promise<CreatedBackup> {
  const { file } = options
  const lock = claim(work)
  try {
    // Another backup may have ended between.
    refuseExisting(options)
    clear(work)
    const content = join(work, `content-${process.pid}`)
    mkdirSync(content, { mode: 0o700 })
    const created = await collect(options, content)
    const archive = join(work, `archive-${process.pid}.tar`)
    // Closed to others whatever the process's own mask is: it may hold the secret.
    writeFileSync(archive, '', { mode: 0o600 })
    await packArchive(content, archive)
    syncFile(archive)
    install(archive, options)
    syncDirectory(dirname(file))
    return created
  } finally {
    rmSync(work, { recursive: true, force: true })
    lock.release()
  }
}

function refuseExisting({ file, isForced }: Options): void {
  if (existsSync(file) && !isForced) throw new BackupError(`${file} is there already: --force replaces it.`)
}

/** Removes what a killed backup has left. */
function clear(work: string): void {
  for (const name of readdirSync(work))
    if (!name.startsWith(lockName)) rmSync(join(work, name), { recursive: true, force: true })
}

/** A file that came meanwhile stays, unless it may be replaced. */
function install(archive: string, options: Options): void {
  const { file, isForced } = options
  try {
    if (!isForced) {
      linkSync(archive, file)
      return
    }
  } catch (error) {
    // Some file systems know no second name for a file.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    refuseExisting(options)
  }
  renameSync(archive, file)
}

/** One sentence for what the disk refuses; faults of ours stay what they are. */
function toBackupError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof BackupError || !('code' in error)) return error
  const code = String(error.code)
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return new BackupError(
      `There is no space for the backup in ${dirname(file)}: it needs twice the database.`,
      {
        cause: error,
      },
    )
  if (code === 'ENOENT') return justEnded(`${file}.partial`, error)
  if (code === 'EEXIST') return new BackupError(`${file} is there already: --force replaces it.`)
  return new BackupError(`${file} cannot be written (${code}): choose another place.`, { cause: error })
}

/** The folder beside the file in which the backup is put together. A killed backup leaves it, and the next one uses it. */
function claim(work: string) {
  try {
    mkdirSync(work, { recursive: true, mode: 0o700 })
    chmodSync(work, 0o700)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') throw cause
    throw new BackupError(`${dirname(work)} cannot be written: choose another place.`, { cause })
  }
  const lock = lockIn(work)
  if (lock === undefined) throw new BackupError(`Another backup is being written to ${work}.`)
  return lock
}

/** The backup before this one removes the folder when it ends, with the lock that this one waits for. */
function lockIn(work: string) {
  try {
    return lockDirectory(work)
  } catch (error) {
    if (existsSync(join(work, lockName))) throw error
    throw justEnded(work, error)
  }
}

function justEnded(work: string, cause: unknown): BackupError {
  return new BackupError(`Another backup in ${work} has just ended: try again.`, { cause })
}

async function collect(options: Options, content: string): Promise<CreatedBackup> {
  const { store, journalDirectory, dataDir, database, withSecret, logger, clock } = options
  const journal = await readRunningJournal(journalDirectory, (copy) => settledOf(copy, store.ledger), {
    clock: monotonicClock,
    logger,
  })
  const entries = journal?.entries ?? []
  for (const { bytes } of entries) appendFileSync(join(content, entriesFile), bytes)
  if (entries.length > 0) writeFileSync(join(content, spansFile), JSON.stringify(spansOf(entries)))
  if (database === 'file') copyDatabase(databaseFile(dataDir), join(content, databaseCopy))
  else if (database !== 'none') await copyServer(database.url, content, logger)
  const secrets = withSecret ? secretFiles(dataDir) : []
  for (const name of secrets) copyFileSync(join(dataDir, name), join(content, name))
  writeAbout(content, {
    format: 1,
    version: options.version,
    createdAt: new Date(clock.now()).toISOString(),
    content: database === 'none' ? 'journal' : 'database',
    database: await store.ledger.databaseId(),
    ...(journal !== undefined && { node: journal.node }),
  })
  return { calls: entries.length, hasSecret: secrets.length > 0 }
}

/** A PostgreSQL database in the form of a file, from which either database can be made again. */
async function copyServer(url: string, directory: string, logger: Logger): Promise<void> {
  const source = await openServerSource(url)
  try {
    await readSourceState(source)
    await fillFile({ directory, source, progress: () => undefined, logger })
  } finally {
    await source.close()
  }
}
