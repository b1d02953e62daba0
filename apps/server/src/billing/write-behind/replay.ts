import type { Logger } from '../../lib/logger.ts'
import { decodeSettlements } from '../../store/settlement.ts'
import type { LedgerRepository } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { JournalFindings, Settled } from '../journal/read-segments.ts'
import { groupsOf } from './flush-group.ts'

const groupSize = 1000

/** A journal that nobody writes, or a copy of one. */
export interface ReadableJournal {
  readonly node: string
  /** The starts of nodes whose entries it may have. */
  readonly runs: readonly string[]
  /** Reads what is not settled, and then says what was not found. */
  read(settled: Settled): { entries(): Iterable<JournalEntry>; findings(): JournalFindings }
}

export interface Replayed {
  /** The database and the journal are both there now. */
  readonly position: number
  /** Calls that the database lacked, and their charges. */
  readonly calls: number
  readonly quota: Quota
  readonly findings: JournalFindings
}

/** What the database has of a journal. */
export async function settledOf(
  { node, runs }: Pick<ReadableJournal, 'node' | 'runs'>,
  repository: Pick<LedgerRepository, 'journalPosition' | 'journalSpans'>,
): Promise<Settled> {
  const [position, spans] = await Promise.all([
    repository.journalPosition(node),
    repository.journalSpans(runs),
  ])
  return { position, spans }
}

/**
 * Writes every entry of a journal that the database lacks, also those that were found late: numbers that the position has
 * passed. Every error is the database's own, and the next start goes on from there.
 */
export async function replay(
  journal: ReadableJournal,
  repository: Pick<LedgerRepository, 'flush' | 'journalPosition' | 'journalSpans'>,
  logger: Logger,
): Promise<Replayed> {
  const settled = await settledOf(journal, repository)
  const reading = journal.read(settled)
  let { position } = settled
  let calls = 0
  let quota: Quota = 0
  for (const { count, last, batches, spans } of groupsOf(reading.entries(), groupSize)) {
    const next = Math.max(position, last)
    await repository.flush({ node: journal.node, after: position, last: next, batches, spans })
    position = next
    calls += count
    for (const { quota: charged } of batches.flatMap(decodeSettlements)) quota += charged
  }
  if (calls > 0) logger.info({ calls }, 'ledger: settled calls of the last run are in the database now')
  return { position, calls, quota, findings: reading.findings() }
}
