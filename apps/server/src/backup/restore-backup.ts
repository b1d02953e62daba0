import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncDirectory } from '../lib/durable-file.ts'
import type { Logger } from '../lib/logger.ts'
import { secretFiles } from '../lib/master-secret.ts'
import { databaseFile } from '../store/open/database-file.ts'
import { type DirectoryLock, lockDirectory } from '../store/open/directory-lock.ts'
import { movedMarkerFile } from '../store/open/moved-marker.ts'
import { BackupError } from './errors.ts'
import { type StagedBackup, stageBackup } from './stage-backup.ts'

interface Options {
  readonly file: string
  readonly dataDir: string
  readonly journalDirectory: string
  /** Puts what is in the data directory aside. */
  readonly isForced: boolean
  readonly logger: Logger
  /** Names the folder of what is put aside. */
  readonly now: Date
}

export interface RestoredBackup extends StagedBackup {
  /** Where what was in the data directory is now. */
  readonly aside: string | undefined
  /** Whether the directory has a secret now. */
  readonly hasSecret: boolean
}

const stagingName = '.restoring'
const lockName = 'lock'
/** What may lie in the directory of a new installation. */
const allowed = new Set(['secret.key', 'lost+found', stagingName])

/**
 * Makes a data directory of a backup. Nothing in it changes before the backup is unpacked, proven and brought up to this
 * program; then the database takes its place in one step.
 * @throws BackupError, StoreOpenError or SchemaTooNewError with one sentence
 */
export async function restoreBackup(options: Options): Promise<RestoredBackup> {
  const { file, dataDir, journalDirectory, isForced, logger } = options
  const lock = claim(dataDir, journalDirectory)
  const staging = join(dataDir, stagingName)
  try {
    const found = contentOf(dataDir, journalDirectory)
    if (found.length > 0 && !isForced)
      throw new BackupError(`${dataDir} is not empty (${found[0]}): --force puts what is there aside.`)
    const staged = await stageBackup(file, staging, logger)
    refuseOtherSecret(options, staging)
    const aside = found.length > 0 ? putAside(options) : undefined
    takeOver(staging, dataDir, aside)
    return { ...staged, aside, hasSecret: secretFiles(dataDir).length > 0 }
  } finally {
    rmSync(staging, { recursive: true, force: true })
    lock.release()
  }
}

/** The lock that a gateway takes: none starts over the directory meanwhile. */
function claim(dataDir: string, journalDirectory: string): DirectoryLock {
  try {
    mkdirSync(journalDirectory, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new BackupError(`${dataDir} cannot be written: choose another with DATA_DIR.`, { cause })
  }
  const lock = lockDirectory(journalDirectory)
  if (lock === undefined) throw new BackupError(`A Tollgate process is using ${dataDir}: stop it first.`)
  return lock
}

function contentOf(dataDir: string, journalDirectory: string): string[] {
  const journal = readdirSync(journalDirectory).filter((name) => !name.startsWith(lockName))
  const others = readdirSync(dataDir).filter(
    (name) => !allowed.has(name) && join(dataDir, name) !== journalDirectory,
  )
  return [...others, ...(journal.length > 0 ? ['journal'] : [])]
}

/** The one that lies there may be needed for something else. */
function refuseOtherSecret({ dataDir, isForced, file }: Options, staging: string): void {
  const hasOwn = secretFiles(staging).length > 0
  if (hasOwn && !isForced && secretFiles(dataDir).length > 0)
    throw new BackupError(
      `${dataDir} has a secret.key, and ${file} brings one: move it away, or say --force.`,
    )
}

/** Moves journal, write-ahead log and secret aside; the database stays until the other one takes its place. */
function putAside({ dataDir, journalDirectory, now }: Options): string {
  const aside = join(dataDir, `replaced-${now.toISOString().replace(/[:.]/g, '-')}`)
  mkdirSync(join(aside, 'journal'), { recursive: true, mode: 0o700 })
  for (const name of readdirSync(journalDirectory))
    if (!name.startsWith(lockName)) renameSync(join(journalDirectory, name), join(aside, 'journal', name))
  syncDirectory(journalDirectory)
  const database = databaseFile(dataDir)
  if (existsSync(database)) linkSync(database, databaseFile(aside))
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(database + suffix)) renameSync(database + suffix, databaseFile(aside) + suffix)
  const marker = join(dataDir, movedMarkerFile)
  if (existsSync(marker)) renameSync(marker, join(aside, movedMarkerFile))
  syncDirectory(aside)
  syncDirectory(dataDir)
  return aside
}

function takeOver(staging: string, dataDir: string, aside: string | undefined): void {
  const secrets = secretFiles(staging)
  if (secrets.length > 0 && aside !== undefined)
    for (const name of secretFiles(dataDir)) renameSync(join(dataDir, name), join(aside, name))
  for (const name of secrets) renameSync(join(staging, name), join(dataDir, name))
  renameSync(databaseFile(staging), databaseFile(dataDir))
  syncDirectory(dataDir)
  syncDirectory(dirname(dataDir))
}
