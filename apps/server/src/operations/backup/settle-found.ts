import { JournalUnusableError } from '../../billing/journal/errors.ts'
import {
  journalsAside,
  openStoppedJournal,
  type StoppedJournal,
} from '../../billing/journal/stopped-journal.ts'
import { countWaiting, nothingSettled, type WaitingCalls, waitingIn } from '../../billing/waiting-calls.ts'
import { replay } from '../../billing/write-behind/replay-journal.ts'
import type { Logger } from '../../lib/logger.ts'
import { openStoreForAudit } from '../../store/engine/open/open-audit.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import { BackupError } from './errors.ts'

interface Options {
  readonly dataDir: string
  readonly journalDirectory: string
  /** Directory of the database that takes the calls. */
  readonly staging: string
  /** Identity of that database. */
  readonly database: string
  readonly leavesCalls: boolean
  readonly logger: Logger
}

/** Outcome for the settled calls in the journals of a data directory. */
export interface FoundCalls {
  /** Calls that the database lacked, and has now. */
  readonly calls: number
  readonly quota: Quota
  /** Accounts that these calls name and the database does not know. */
  readonly unknownAccounts: number
  /** Calls that the journals number and do not have any more. */
  readonly lost: { readonly atLeast: number; readonly atMost: number }
  /** Journals with calls that are not for this database, or that cannot be read. */
  readonly left: readonly LeftJournal[]
}

export interface LeftJournal {
  readonly directory: string
  /** Reason for which its calls were not written. */
  readonly reason: string
  /** Number of its calls; absent where it is unknown. */
  readonly calls?: number
}

/**
 * Writes the settled calls of every journal in a data directory into a database, each once, and leaves the journals as they are.
 * @throws BackupError, with one sentence, when some cannot be written and the operator has not said that they may be left
 */
export async function settleFound(options: Options): Promise<FoundCalls> {
  const { dataDir, journalDirectory, staging, leavesCalls, logger } = options
  const directories = [journalDirectory, ...journalsAside(dataDir, journalDirectory)]
  const store = await openStore({ dataDir: staging, logger })
  try {
    let found: FoundCalls = none
    // What lay aside before was left before: it is settled where it can be, and holds nothing up.
    for (const directory of directories) {
      const one = await settleOne(directory, store, options)
      if (directory === journalDirectory && !leavesCalls) refuseLeft(one.left)
      found = add(found, one)
    }
    return found
  } finally {
    await store.close()
  }
}

const none: FoundCalls = {
  calls: 0,
  quota: 0,
  unknownAccounts: 0,
  lost: { atLeast: 0, atMost: 0 },
  left: [],
}

async function settleOne(directory: string, store: Store, options: Options): Promise<FoundCalls> {
  let journal: StoppedJournal | undefined
  try {
    journal = openStoppedJournal(directory)
  } catch (error) {
    if (!(error instanceof JournalUnusableError)) throw error
    return { ...none, left: [{ directory, reason: error.message }] }
  }
  if (journal === undefined) return none
  try {
    const settled = await settleOwn(journal, store, options)
    return { ...settled, left: await foreignIn(journal, options) }
  } finally {
    journal.close()
  }
}

async function settleOwn(
  journal: StoppedJournal,
  store: Store,
  { database, journalDirectory, logger }: Options,
): Promise<FoundCalls> {
  const { calls, quota, unknownAccounts, findings } = await replay(journal.of(database), store.ledger, logger)
  // The backup is older than the journal; what lies between them is lost, unless a journal aside has it.
  const isInUse = journal.directory === journalDirectory && journal.databases.includes(database)
  const losses = isInUse ? findings.losses : []
  const lost = {
    atLeast: losses.reduce((sum, { atLeast }) => sum + atLeast, 0),
    atMost: losses.reduce((sum, { atMost }) => sum + atMost, 0),
  }
  return { calls, quota, unknownAccounts, lost, left: [] }
}

/** The calls of other databases, which those lack. */
async function foreignIn(
  journal: StoppedJournal,
  { database, dataDir, logger }: Options,
): Promise<LeftJournal[]> {
  const { directory } = journal
  const left: LeftJournal[] = []
  for (const other of journal.databases.filter((name) => name !== database)) {
    const { calls } = await waitingFor(journal, other, dataDir, logger)
    if (calls > 0) left.push({ directory, calls, reason: 'they are of another database than the backup' })
  }
  return left
}

async function waitingFor(
  journal: StoppedJournal,
  database: string,
  dataDir: string,
  logger: Logger,
): Promise<WaitingCalls> {
  const part = journal.of(database)
  try {
    const store = await openStoreForAudit({ dataDir })
    try {
      if ((await store.ledger.databaseId()) === database) return await waitingIn(part, store.ledger)
    } finally {
      await store.close()
    }
  } catch (err) {
    logger.debug({ err }, 'restore: the database that is replaced cannot say what it has of its journal')
  }
  return countWaiting(part, journal.flushedBy(database) ?? nothingSettled)
}

function refuseLeft(left: readonly LeftJournal[]): void {
  const [first] = left
  if (first === undefined) return
  const what =
    first.calls === undefined
      ? first.reason
      : `${first.directory} has ${first.calls} settled calls that would be lost: ${first.reason}`
  throw new BackupError(
    `${what.replace(/\.$/, '')}. Start the gateway once so that they are written, or say --leave-calls to keep them aside.`,
  )
}

function add(one: FoundCalls, other: FoundCalls): FoundCalls {
  return {
    calls: one.calls + other.calls,
    quota: one.quota + other.quota,
    unknownAccounts: one.unknownAccounts + other.unknownAccounts,
    lost: {
      atLeast: one.lost.atLeast + other.lost.atLeast,
      atMost: one.lost.atMost + other.lost.atMost,
    },
    left: [...one.left, ...other.left],
  }
}
