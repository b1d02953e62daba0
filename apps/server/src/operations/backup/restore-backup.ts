import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../../lib/logger.ts'
import { secretFiles } from '../../lib/master-secret.ts'
import { giveToOwner } from '../../lib/service/data-owner.ts'
import { movedMarkerFile } from '../../store/engine/open/moved-marker.ts'
import { claimDirectory } from './claim-directory.ts'
import { BackupError } from './errors.ts'
import { lastBackupFile } from './last-backup.ts'
import { journalLockName } from './put-aside.ts'
import { type FoundCalls, settleFound } from './settle-found.ts'
import { type StagedBackup, stageBackup } from './stage-backup.ts'
import { endArrival, interruptedArrival, runArrival } from './take-place.ts'

interface Options {
  readonly file: string
  readonly dataDir: string
  readonly journalDirectory: string
  /** Puts what is in the data directory aside. */
  readonly isForced: boolean
  /** Goes on where settled calls that lie there cannot be written into the backup's database. */
  readonly leavesCalls: boolean
  readonly logger: Logger
  /** Names the folder of what is put aside. */
  readonly now: Date
}

export interface RestoredBackup extends StagedBackup {
  /** New paths of the former content of the data directory. */
  readonly aside: readonly string[]
  /** Outcome for the calls in the journals that were there. */
  readonly found: FoundCalls
  /** Set for a directory with a secret. */
  readonly hasSecret: boolean
}

const stagingName = '.restoring'
/** Entries that the directory of a new installation may have. */
const allowed = new Set([
  'secret.key',
  'lost+found',
  'erased-accounts.json',
  lastBackupFile,
  movedMarkerFile,
  stagingName,
])

/**
 * Makes a data directory of a backup. Nothing in it changes before the backup is unpacked, proven and brought up to this
 * program, and has the settled calls of the journals that lie there; then the database takes its place. A restore that is killed
 * there makes the directory refuse to be used until it is run again.
 * @throws BackupError, StoreOpenError or SchemaTooNewError with one sentence
 */
export async function restoreBackup(options: Options): Promise<RestoredBackup> {
  const { file, dataDir, journalDirectory, isForced, logger } = options
  const lock = claimDirectory(dataDir, journalDirectory)
  const staging = join(dataDir, stagingName)
  try {
    const content = contentOf(dataDir, journalDirectory)
    const isAgreed = isForced || interruptedArrival(dataDir) !== undefined
    if (content.length > 0 && !isAgreed)
      throw new BackupError(`${dataDir} is not empty (${content[0]}): --force puts what is there aside.`)
    const staged = await stageBackup(file, staging, logger)
    refuseOtherSecret({ ...options, isForced: isAgreed }, staging)
    const found = await settleFound({ ...options, staging, database: staged.about.database })
    // A process that is killed from here on leaves a folder that its gateway can read.
    giveToOwner(dataDir, 'strictly')
    const isTaken = content.length > 0 || existsSync(join(dataDir, movedMarkerFile))
    const aside = runArrival({
      ...options,
      staging,
      from: 'backup',
      command: `tollgate restore ${file}`,
      database: staged.about.database,
      ...(isTaken && { aside: 'replaced' }),
    })
    endArrival(dataDir)
    return { ...staged, aside, found, hasSecret: secretFiles(dataDir).length > 0 }
  } finally {
    rmSync(staging, { recursive: true, force: true })
    lock.release()
  }
}

function contentOf(dataDir: string, journalDirectory: string): string[] {
  const journal = readdirSync(journalDirectory).filter((name) => !name.startsWith(journalLockName))
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
