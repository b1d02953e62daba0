import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { JournalUnusableError } from '../../billing/journal/errors.ts'
import type { JournalEntry } from '../../billing/journal/journal.ts'
import { addToSpans } from '../../billing/journal/spans.ts'
import { openStoppedJournal, type StoppedJournal } from '../../billing/journal/stopped-journal.ts'
import { nothingSettled } from '../../billing/waiting-calls.ts'
import type { Logger } from '../../lib/logger.ts'
import { giveToOwner } from '../../lib/service/data-owner.ts'
import { integrityFault } from '../../store/engine/copy-database.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { type RepairedFile, repairFile } from '../../store/engine/repair/repair-file.ts'
import { identify, markSettled, requestIdsSince } from '../../store/engine/repair/settled-marks.ts'
import { decodeSettlements, type JournalSpan } from '../../store/settlement.ts'
import { claimDirectory } from './claim-directory.ts'
import { BackupError } from './errors.ts'
import { type FoundCalls, settleFound } from './settle-found.ts'
import { stageBackup } from './stage-backup.ts'
import { endArrival, interruptedArrival, putLogBack, runArrival } from './take-place.ts'

interface Options {
  readonly dataDir: string
  readonly journalDirectory: string
  /** A backup of the installation, from which lost rows are taken. */
  readonly backup: string | undefined
  readonly logger: Logger
  /** Names the folder of the damaged file. */
  readonly now: Date
}

export interface RepairedDatabase extends RepairedFile {
  /** SQLite's first message about the file. */
  readonly fault: string
  /** Folders that the damaged file is put into. */
  readonly aside: readonly string[]
  /** Calls of the journals, as far as the repaired database has them now. */
  readonly found: FoundCalls
  /** Figures that do not add up all the same. */
  readonly differences: number
  /** Set when a super administrator is among the saved accounts. */
  readonly hasRoot: boolean
}

const stagingName = '.repairing'

/**
 * Puts a whole database in the place of a damaged one: with every row that can still be read, with what follows from those, and
 * with the settled calls of the journal. Nothing changes before the new one is whole.
 * @returns `undefined` when the file is whole
 * @throws BackupError, StoreOpenError or SchemaTooNewError with one sentence
 */
export async function repairDatabase(options: Options): Promise<RepairedDatabase | undefined> {
  const { dataDir, journalDirectory, now } = options
  const file = databaseFile(dataDir)
  if (!existsSync(file)) throw new BackupError(`There is no database ${file}.`)
  const lock = claimDirectory(dataDir, journalDirectory)
  const staging = join(dataDir, stagingName)
  try {
    putLogBack(dataDir)
    const fault = integrityFault(file)
    if (fault === undefined) {
      if (interruptedArrival(dataDir)?.from === 'repair') endArrival(dataDir)
      return undefined
    }
    const made = await makeWhole(options, staging)
    // A process that is killed from here on leaves a folder that its gateway can read.
    giveToOwner(dataDir, 'strictly')
    const aside = runArrival({
      dataDir,
      staging,
      from: 'repair',
      command: 'tollgate repair',
      database: made.database,
      aside: 'damaged',
      now,
    })
    endArrival(dataDir)
    return { ...made, fault, aside }
  } finally {
    rmSync(staging, { recursive: true, force: true })
    lock.release()
  }
}

async function makeWhole(options: Options, staging: string) {
  const { dataDir, logger, now } = options
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { mode: 0o700 })
  const older = await stageOlder(options, join(staging, 'older'))
  await (await openStore({ dataDir: staging, logger })).close()
  const into = databaseFile(staging)
  const repaired = repairFile({
    file: databaseFile(dataDir),
    into,
    older,
    now: Math.floor(now.getTime() / 1000),
  })
  restoreMarks(options, into, repaired)
  const store = await openStore({ dataDir: staging, logger })
  const database = await store.ledger.databaseId().finally(() => store.close())
  const found = await settleFound({ ...options, staging, database, leavesCalls: true })
  return { ...repaired, database, found, ...(await lookAt(staging, logger)) }
}

async function stageOlder({ backup, logger }: Options, directory: string): Promise<string | undefined> {
  if (backup === undefined) return undefined
  await stageBackup(backup, directory, logger)
  return databaseFile(directory)
}

/** Restores the marks from the journal, which knows its owner, and the log, which has the calls that the database had. */
function restoreMarks({ journalDirectory, logger }: Options, file: string, { tables }: RepairedFile): void {
  const isDamaged = (table: string) => (tables.get(table)?.damagedPages ?? 0) > 0
  let journal: StoppedJournal | undefined
  try {
    journal = openStoppedJournal(journalDirectory)
    const [database] = journal?.databases ?? []
    if (journal === undefined || database === undefined) return
    if (tables.get('database_identity')?.saved === 0) identify(file, database)
    if (isDamaged('journal_positions') || isDamaged('journal_spans')) markKnownCalls(file, journal, database)
  } catch (err) {
    if (!(err instanceof JournalUnusableError)) throw err
    logger.warn(
      { err },
      'repair: the journal cannot be read, so its calls stay in it: see the guide on damaged journals',
    )
  } finally {
    journal?.close()
  }
}

/**
 * Marks the calls that the database had: a flush takes them in their order, so up to the last one that the log has it had all.
 */
function markKnownCalls(file: string, journal: StoppedJournal, database: string): void {
  const part = journal.of(database)
  const entries: (Omit<JournalEntry, 'bytes'> & {
    readonly requestId: string
    readonly createdAt: number
  })[] = []
  for (const { seq, run, bytes } of part.read(nothingSettled).entries()) {
    const [call] = decodeSettlements(bytes)
    if (call !== undefined)
      entries.push({
        seq,
        ...(run !== undefined && { run }),
        requestId: call.requestId,
        createdAt: call.createdAt,
      })
  }
  const since = entries.reduce(
    (earliest, { createdAt }) => Math.min(earliest, createdAt),
    Number.POSITIVE_INFINITY,
  )
  if (!Number.isFinite(since)) return
  const known = requestIdsSince(file, since)
  const last = entries.findLastIndex(({ requestId }) => known.has(requestId))
  if (last < 0) return
  const spans: JournalSpan[] = []
  for (const { run, seq } of entries.slice(0, last + 1)) addToSpans(spans, run, seq)
  markSettled(file, part.node, entries[last]?.seq ?? 0, spans)
}

async function lookAt(dataDir: string, logger: Logger) {
  const store = await openStore({ dataDir, logger })
  try {
    const differences = (await store.audit.findings()).length
    return { differences, hasRoot: (await store.users.findFirstRoot()) !== undefined }
  } finally {
    await store.close()
  }
}
