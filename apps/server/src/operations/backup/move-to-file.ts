import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Journal } from '../../billing/journal/journal.ts'
import type { Logger } from '../../lib/logger.ts'
import { secretFiles } from '../../lib/master-secret.ts'
import { giveToOwner } from '../../lib/service/data-owner.ts'
import { describeServer } from '../../store/engine/address/postgres-address.ts'
import type { CopySource } from '../../store/engine/copy/copy-source.ts'
import type { Progress } from '../../store/engine/copy/copy-tables.ts'
import { fillFile } from '../../store/engine/copy/fill-file.ts'
import { listOtherNodes, markMoved } from '../../store/engine/copy/moved-server.ts'
import { openServerSource } from '../../store/engine/copy/server-source.ts'
import { readSourceState } from '../../store/engine/copy/source-state.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { movedMarkerFile } from '../../store/engine/open/moved-marker.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { beginAloneOnServer, type ServerTransaction } from '../../store/engine/open/server-connection.ts'
import { readInstallation } from '../../store/engine/state.ts'
import { claimDirectory } from './claim-directory.ts'
import { BackupError } from './errors.ts'
import { holdJournal, refuseForeign, settleInto } from './folder-journal.ts'
import type { Moved } from './move-to-server.ts'
import { endArrival, interruptedArrival, runArrival } from './take-place.ts'

export interface MoveToFile {
  /** The PostgreSQL database. */
  readonly url: string
  /** Data directory of the node on this machine. */
  readonly dataDir: string
  readonly journalDirectory: string
  /** The data directory that is to hold the file. */
  readonly target: string
  /** Puts a file that is there aside, and goes on where other nodes did not end in good order. */
  readonly isForced: boolean
  readonly progress: Progress
  readonly logger: Logger
  readonly now: Date
}

export interface MovedToFile extends Moved {
  /** New paths of the file that was there before. */
  readonly aside: readonly string[]
  /** Set for a target with a secret. */
  readonly hasSecret: boolean
}

const stagingName = '.moving'

/**
 * Makes a data directory of the installation in a PostgreSQL database, with what waits in the journal of this node. The file takes
 * its place, and refuses to be used until the database says where its installation lives: its commit is the one moment in which the
 * installation changes its place. A move that is killed before has changed nothing that serves.
 * @returns `undefined` when an interrupted move had brought everything already
 * @throws BackupError, StoreOpenError or JournalUnusableError with one sentence
 */
export async function moveToFile(options: MoveToFile): Promise<MovedToFile | undefined> {
  const { url, journalDirectory, logger, now, target } = options
  refuseTakenTarget(options)
  const alone = await beginAloneOnServer(url)
  try {
    if (await hasArrived(alone, target)) {
      endArrival(target)
      return undefined
    }
    const journal = holdJournal(journalDirectory, logger)
    const claim = claimTarget(options)
    const staging = join(target, stagingName)
    try {
      const { database, ...moved } = await stage(options, staging, journal)
      const aside = install(options, staging, database)
      await markMoved(alone, target, now)
      endArrival(target)
      return { ...moved, aside, hasSecret: secretFiles(target).length > 0 }
    } finally {
      rmSync(staging, { recursive: true, force: true })
      claim.release()
      await journal.close()
    }
  } finally {
    await alone.close()
  }
}

function refuseTakenTarget({ target, isForced }: MoveToFile): void {
  if (existsSync(databaseFile(target)) && !isForced && interruptedArrival(target) === undefined)
    throw new BackupError(`${databaseFile(target)} is there already: --force puts it aside.`)
}

/** Finds out whether the database has recorded the move to the folder. */
async function hasArrived({ run }: ServerTransaction, target: string): Promise<boolean> {
  const arriving = interruptedArrival(target)
  if (arriving === undefined) return false
  const { database, movedTo } = await run(readInstallation('postgres'))
  return movedTo === target && database === arriving.database
}

/** The lock that a gateway over the target takes; that over this node's folder has it already. */
function claimTarget({ target, dataDir }: MoveToFile): { release(): void } {
  if (target === dataDir) return { release: () => undefined }
  return claimDirectory(target, journalOf(target))
}

interface Staged extends Moved {
  /** Identity of the installation. */
  readonly database: string
}

/** Makes a whole data directory of its own. */
async function stage(options: MoveToFile, staging: string, journal: Journal): Promise<Staged> {
  const { url, journalDirectory, progress, logger } = options
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { recursive: true, mode: 0o700 })
  const source = await openServerSource(url)
  try {
    const database = await requireMovable(source, journal, options)
    refuseForeign(journal, journalDirectory, database)
    const copied = await fillFile({ directory: staging, source, progress, logger })
    const store = await openStore({ dataDir: staging, logger })
    const calls = await settleInto(store, journal, logger).finally(() => store.close())
    return { ...copied, calls, database }
  } finally {
    await source.close()
  }
}

/** Returns the identity of the installation. */
async function requireMovable(
  source: CopySource,
  journal: Journal,
  { isForced }: MoveToFile,
): Promise<string> {
  const { database, isUsed, movedTo } = await readSourceState(source)
  if (!isUsed || database === undefined)
    throw new BackupError('The PostgreSQL database holds no installation yet.')
  if (movedTo !== '')
    throw new BackupError(`The installation in the PostgreSQL database was moved to ${movedTo} already.`)
  const [other] = await source.read(listOtherNodes(journal.node))
  if (other !== undefined && !isForced)
    throw new BackupError(
      `Node ${other} did not end in good order, and its disk may have settled calls that the database lacks: start and stop it, or settle its journal with tollgate recover --journal DIR (--force goes on without).`,
    )
  return database
}

function install(options: MoveToFile, staging: string, database: string): readonly string[] {
  const { dataDir, target, url, now } = options
  // A process that is killed from here on leaves a folder that its gateway can read.
  giveToOwner(target, 'strictly')
  if (target !== dataDir && secretFiles(target).length === 0)
    for (const name of secretFiles(dataDir)) copyFileSync(join(dataDir, name), join(staging, name))
  const isTaken = existsSync(databaseFile(target)) || existsSync(join(target, movedMarkerFile))
  return runArrival({
    dataDir: target,
    staging,
    from: 'server',
    command: `tollgate move --to ${target}, with DATABASE_URL of the database at ${describeServer(url)},`,
    database,
    ...(isTaken && { aside: 'replaced' }),
    // This node's own journal belongs to the installation that comes.
    ...(target !== dataDir && isTaken && { journalDirectory: journalOf(target) }),
    now,
  })
}

function journalOf(target: string): string {
  return join(target, 'journal')
}
