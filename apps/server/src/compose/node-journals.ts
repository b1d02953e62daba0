import { monotonicClock } from '@tollgate/base'
import { journalExists, openJournal } from '../billing/journal/open.ts'
import { openStoppedJournal } from '../billing/journal/stopped-journal.ts'
import { waitingIn } from '../billing/waiting-calls.ts'
import type { Logger } from '../lib/logger.ts'
import { countWaiting } from '../operations/backup/waiting-calls.ts'
import { isLocked } from '../store/engine/open/directory-lock.ts'
import { StoreOpenError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { workerFolder, workersIn } from '../workers/seat.ts'
import { type AllServices, journalDirectory } from './services.ts'
import { settleInFleet } from './settle-in-fleet.ts'

/** Reader of which calls of a journal a database has. */
type ReadLedger = Pick<Store['ledger'], 'databaseId' | 'journalPosition' | 'journalSpans'>

/** Lists the journals of workers that ever served over a data folder. */
export function workerJournals(dataDir: string): readonly string[] {
  return workersIn(dataDir)
    .map((number) => journalDirectory({ dataDir: workerFolder(dataDir, number) }))
    .filter(journalExists)
}

/** Settled calls in a journal of a worker that the database lacks. */
export interface WorkerBacklog {
  readonly directory: string
  readonly calls: number
}

/** Counts what waits in the journals of workers, whether they run or not. */
export async function workerBacklogs(
  dataDir: string,
  ledger: ReadLedger,
  logger: Logger,
): Promise<readonly WorkerBacklog[]> {
  const backlogs: WorkerBacklog[] = []
  for (const directory of workerJournals(dataDir)) {
    const calls = await countWaiting(directory, ledger, logger)
    if (calls > 0) backlogs.push({ directory, calls })
  }
  return backlogs
}

/** Time for running workers to write what they have settled: they do within seconds. */
const patienceMs = 10_000
const lookMs = 200

/**
 * Waits until the database has what workers have settled: a command that takes one journal with it would leave theirs behind.
 * @throws StoreOpenError with one sentence when calls wait that nobody writes
 */
export async function requireWrittenWorkers(
  dataDir: string,
  ledger: ReadLedger,
  logger: Logger,
): Promise<void> {
  if (workerJournals(dataDir).length === 0) return
  const end = performance.now() + patienceMs
  for (;;) {
    const [first] = await workerBacklogs(dataDir, ledger, logger)
    if (first === undefined) return
    if (performance.now() > end || !isLocked(first.directory))
      throw new StoreOpenError(
        `${first.calls} settled calls of a worker wait in ${first.directory}: start the gateway, which writes them, or run tollgate recover --journal ${first.directory}.`,
      )
    await Bun.sleep(lookMs)
  }
}

/**
 * Settles the journals in the data folder that no process of this start writes: of workers that there are no more, or of the
 * process that served by itself before. Only the first of the machine's processes looks.
 */
export async function settleLeftJournals(base: AllServices): Promise<void> {
  await settleAllLeft(base).catch((err: unknown) =>
    base.logger.warn(
      { err },
      'journals of processes that there are no more were not looked for: tollgate doctor says whether calls wait there',
    ),
  )
}

async function settleAllLeft({ config, store, machine, logger }: AllServices): Promise<void> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  if (databaseUrl === undefined || (machine?.seat.number ?? 1) !== 1) return
  const served = new Set(
    machine === undefined
      ? [journalDirectory({ dataDir })]
      : Array.from({ length: machine.seat.count }, (_, index) =>
          journalDirectory({ dataDir: workerFolder(dataDir, index + 1) }),
        ),
  )
  const all = [journalDirectory({ dataDir }), ...workerJournals(dataDir)]
  const database = await store.ledger.databaseId()
  for (const directory of all.filter((one) => !served.has(one) && journalExists(one)))
    if (!isLocked(directory) && (await hasWaiting(directory, database, store.ledger)))
      await settle({ databaseUrl, dataDir, directory, logger })
}

async function hasWaiting(directory: string, database: string, ledger: ReadLedger): Promise<boolean> {
  const journal = openStoppedJournal(directory)
  try {
    return journal !== undefined && (await waitingIn(journal.of(database), ledger)).calls > 0
  } finally {
    journal?.close()
  }
}

interface Left {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly directory: string
  readonly logger: Logger
}

async function settle({ databaseUrl, dataDir, directory, logger }: Left): Promise<void> {
  const print = (line: string) => logger.info({ journal: directory }, line)
  try {
    const journal = openJournal({ directory, isBesideWorkers: true, clock: monotonicClock, logger })
    // Its lock shows that no process of this machine writes it.
    await settleInFleet({ databaseUrl, dataDir, journal, isGone: () => true, print }).finally(() =>
      journal.close(),
    )
  } catch (err) {
    logger.error(
      { err, journal: directory },
      `settled calls of a process that there is no more wait: run tollgate recover --journal ${directory}`,
    )
  }
}
