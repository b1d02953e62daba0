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
  /** Accounts that the calls name and the database does not know: it is older than they are. */
  readonly unknownAccounts: number
  readonly findings: JournalFindings
}

/** Reads the entries of a journal that the database has. */
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
 * passed. Ids of accounts that the calls name are not given out again. Every error is the database's own, and the next start
 * goes on from there.
 */
export async function replay(
  journal: ReadableJournal,
  repository: Pick<LedgerRepository, 'flush' | 'journalPosition' | 'journalSpans' | 'passAccountIds'>,
  logger: Logger,
): Promise<Replayed> {
  const settled = await settledOf(journal, repository)
  const reading = journal.read(settled)
  let { position } = settled
  let calls = 0
  let quota: Quota = 0
  const named = { user: new Set<number>(), token: new Set<number>(), channel: new Set<number>() }
  for (const { count, last, batches, spans } of groupsOf(reading.entries(), groupSize)) {
    const next = Math.max(position, last)
    await repository.flush({ node: journal.node, after: position, last: next, batches, spans })
    position = next
    calls += count
    for (const settlement of batches.flatMap(decodeSettlements)) {
      quota += settlement.quota
      named.user.add(settlement.userId)
      named.token.add(settlement.tokenId)
      named.channel.add(settlement.channelId)
    }
  }
  const unknownAccounts = calls > 0 ? await repository.passAccountIds(named) : 0
  if (calls > 0) logger.info({ calls }, 'ledger: settled calls of the last run are in the database now')
  return { position, calls, quota, unknownAccounts, findings: reading.findings() }
}
