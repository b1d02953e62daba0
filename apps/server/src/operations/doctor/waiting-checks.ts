import { type Clock, monotonicClock, unixSeconds } from '@tollgate/base'
import { readRunningJournal } from '../../billing/journal/read-running.ts'
import { journalsAside, openStoppedJournal } from '../../billing/journal/stopped-journal.ts'
import { countWaiting, nothingSettled } from '../../billing/waiting-calls.ts'
import { settledOf } from '../../billing/write-behind/replay-journal.ts'
import type { Logger } from '../../lib/logger.ts'
import { decodeSettlements } from '../../store/settlement.ts'
import type { LedgerRepository } from '../../store/store.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

interface JournalCheck {
  readonly dataDir: string
  readonly journalDirectory: string
  /** Those of workers, which serve over the same data folder. */
  readonly workerJournals: readonly string[]
  /** Absent where the database cannot be read: every call in the journal may wait then. */
  readonly ledger: Pick<LedgerRepository, 'journalPosition' | 'journalSpans' | 'databaseId'> | undefined
  /** Decides whether a gateway runs over a journal. */
  readonly isServing: (journalDirectory: string) => boolean
  readonly clock: Clock
  readonly logger: Logger
}

/** A running gateway writes every call within seconds. */
const patienceSeconds = 60

/** Settled calls that the database lacks: in the journal in use, and in those that lie aside. */
export async function checkWaiting(check: JournalCheck): Promise<readonly Finding[]> {
  return [await checkInUse(check), ...(await checkAside(check))]
}

async function checkInUse({
  journalDirectory,
  workerJournals,
  ledger,
  isServing,
  clock,
  logger,
}: JournalCheck): Promise<Finding> {
  const settled =
    ledger === undefined
      ? async () => nothingSettled
      : (copy: Parameters<typeof settledOf>[0]) => settledOf(copy, ledger)
  const journals = [journalDirectory, ...workerJournals]
  const copies = await Promise.all(
    journals.map((directory) => readRunningJournal(directory, settled, { clock: monotonicClock, logger })),
  )
  const entries = copies.flatMap((copy) => copy?.entries ?? [])
  const times = entries.flatMap(({ bytes }) => decodeSettlements(bytes)).map(({ createdAt }) => createdAt)
  const oldest = times.reduce((earliest, time) => Math.min(earliest, time), Number.POSITIVE_INFINITY)
  if (times.length === 0) return ok('journal lag', 'no settled call waits for the database')
  const calls = `${ledger === undefined ? 'up to ' : ''}${times.length} settled calls wait in the journal, the oldest since ${new Date(oldest * 1000).toISOString()}`
  if (ledger === undefined)
    return fail('journal lag', `${calls}: they are safe there, until the database takes them`)
  if (!journals.some(isServing)) return warn('journal lag', `${calls}: the next start writes them`)
  return unixSeconds(clock) - oldest > patienceSeconds
    ? fail('journal lag', `${calls}: the database does not take them, its log says why`)
    : ok('journal lag', calls)
}

async function checkAside({ dataDir, journalDirectory, ledger }: JournalCheck): Promise<Finding[]> {
  if (ledger === undefined) return []
  const database = await ledger.databaseId()
  const findings: Finding[] = []
  for (const directory of journalsAside(dataDir, journalDirectory)) {
    const journal = openStoppedJournal(directory)
    if (journal === undefined) continue
    try {
      const part = journal.of(database)
      const { calls } = countWaiting(part, await settledOf(part, ledger))
      if (calls > 0)
        findings.push(
          fail(
            'journal aside',
            `${calls} settled calls wait in ${directory}, which no start writes: stop the gateway and run tollgate recover --journal ${directory}`,
          ),
        )
    } finally {
      journal.close()
    }
  }
  return findings
}
