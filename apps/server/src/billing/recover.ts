import type { Logger } from '../lib/logger.ts'
import { decodeSettlements } from '../store/settlement.ts'
import type { LedgerRepository } from '../store/store.ts'
import type { Quota } from '../store/units.ts'
import type { Journal } from './journal/journal.ts'
import { replay } from './write-behind/replay.ts'

interface Dependencies {
  readonly journal: Pick<Journal, 'node' | 'claimFor' | 'entriesAfter'>
  readonly repository: Pick<LedgerRepository, 'databaseId' | 'journalPosition' | 'flush'>
  readonly logger: Logger
}

/**
 * Writes what the journal of a node that is gone has and the database lacks, under that node's position: a second time there is
 * nothing left.
 * @throws JournalForeignError when the journal has charges of another database
 */
export async function recoverJournal({ journal, repository, logger }: Dependencies) {
  await journal.claimFor(await repository.databaseId())
  const missing = settledAfter(journal, await repository.journalPosition(journal.node))
  await replay(journal, repository, logger)
  return missing
}

function settledAfter(journal: Pick<Journal, 'entriesAfter'>, position: number) {
  let calls = 0
  let quota: Quota = 0
  for (const { bytes } of journal.entriesAfter(position))
    for (const settlement of decodeSettlements(bytes)) {
      calls += 1
      quota += settlement.quota
    }
  return { calls, quota }
}
