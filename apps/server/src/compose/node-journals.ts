import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { monotonicClock } from '@tollgate/base'
import { JournalInUseError } from '../billing/journal/errors.ts'
import { segmentSuffix } from '../billing/journal/files.ts'
import { journalDirectories, journalExists, openJournal } from '../billing/journal/open.ts'
import { openStoppedJournal } from '../billing/journal/stopped-journal.ts'
import { waitingIn } from '../billing/waiting-calls.ts'
import type { Logger } from '../lib/logger.ts'
import { countWaiting } from '../operations/backup/waiting-calls.ts'
import type { Job } from '../operations/jobs/scheduler.ts'
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

/** Pause between two looks for journals that nobody writes. */
const leftEveryMs = 5000

/**
 * Settles the journals in the data folder that no process writes: of workers that there are no more, of one that was killed while it
 * drained, of the process that served by itself before. Every process of the machine looks, and the lock of a journal lets one of them.
 */
export function leftJournalJob(base: AllServices): Job {
  const journals = new LeftJournals(base, journalDirectory(base.config))
  // Those of this start are theirs, whose workers are about to come.
  void journals
    .settle(seatsOf(base))
    .catch((err: unknown) =>
      base.logger.warn(
        { err },
        'journals that nobody writes were not looked for, and are in a few seconds: check the data folder',
      ),
    )
  return { name: 'left-journals', scope: 'node', everyMs: leftEveryMs, run: () => journals.settle() }
}

/** Lists the journals of the workers that start together. */
function seatsOf({ config: { dataDir }, machine }: AllServices): readonly string[] {
  return Array.from({ length: machine?.seat.count ?? 0 }, (_, index) =>
    journalDirectory({ dataDir: workerFolder(dataDir, index + 1) }),
  )
}

type Base = Pick<AllServices, 'config' | 'store' | 'logger'>

class LeftJournals {
  readonly #base: Base
  readonly #own: string
  /** Last changes of journals of which the database had everything. */
  readonly #settled = new Map<string, number>()
  readonly #failed = new Set<string>()

  /** @param own the journal of this process */
  constructor(base: Base, own: string) {
    this.#base = base
    this.#own = own
  }

  async settle(except: readonly string[] = []): Promise<void> {
    const { dataDir, DATABASE_URL: databaseUrl } = this.#base.config
    if (databaseUrl === undefined) return
    const passed = new Set([this.#own, ...except])
    const all = journalDirectories(dataDir).filter((one) => !passed.has(one) && journalExists(one))
    for (const directory of all)
      await this.#settle(directory, databaseUrl).catch((error: unknown) => this.#report(directory, error))
  }

  async #settle(directory: string, databaseUrl: string): Promise<void> {
    const changedAt = lastChange(directory)
    if (this.#settled.get(directory) === changedAt || isLocked(directory, 0)) return
    const { config, store, logger } = this.#base
    if (await hasWaiting(directory, await store.ledger.databaseId(), store.ledger))
      await settleLeft({ databaseUrl, dataDir: config.dataDir, directory, logger })
    else this.#settled.set(directory, changedAt)
    this.#failed.delete(directory)
  }

  /** Another process of this machine may have taken it at the same moment. */
  #report(directory: string, err: unknown): void {
    if (err instanceof JournalInUseError || this.#failed.has(directory)) return
    this.#failed.add(directory)
    this.#base.logger.error(
      { err, journal: directory },
      `settled calls of a process that there is no more may wait, which is tried again every ${leftEveryMs / 1000} s: err says what is in the way, and tollgate recover --journal ${directory} does it by hand`,
    )
  }
}

/** Time of the last change of a journal, in milliseconds. */
function lastChange(directory: string): number {
  const files = readdirSync(directory).filter((name) => name.endsWith(segmentSuffix))
  return Math.max(0, ...files.map((name) => statSync(join(directory, name)).mtimeMs))
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

async function settleLeft({ databaseUrl, dataDir, directory, logger }: Left): Promise<void> {
  const print = (line: string) => logger.info({ journal: directory }, line)
  const journal = openJournal({ directory, isBesideWorkers: true, clock: monotonicClock, logger })
  try {
    // Its lock shows that no process of this machine writes it.
    await settleInFleet({ databaseUrl, dataDir, journal, isGone: () => true, print })
  } finally {
    await journal.close()
  }
}
