import type { Logger } from '../lib/logger.ts'
import type { LedgerRepository } from '../store/store.ts'
import type { Journal } from './journal/journal.ts'
import { type ReadableJournal, type Replayed, replay } from './write-behind/replay-journal.ts'

/** A journal that one database may take over. */
export type ClaimableJournal = ReadableJournal & Pick<Journal, 'claimFor'>

interface Dependencies {
  readonly journal: ClaimableJournal
  readonly repository: Pick<
    LedgerRepository,
    'databaseId' | 'journalPosition' | 'journalSpans' | 'flush' | 'passAccountIds'
  >
  readonly logger: Logger
}

/**
 * Writes what the journal of a node that is gone has and the database lacks, under that node's position: a second time there is
 * nothing left.
 * @throws JournalForeignError when the journal has charges of another database
 */
export async function recoverJournal({ journal, repository, logger }: Dependencies): Promise<Replayed> {
  await journal.claimFor(await repository.databaseId())
  return await replay(journal, repository, logger)
}
