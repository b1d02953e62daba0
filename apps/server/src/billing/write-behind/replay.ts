import type { Logger } from '../../lib/logger.ts'
import type { LedgerRepository } from '../../store/store.ts'
import type { Journal } from '../journal/journal.ts'
import { groupsOf } from './flush-group.ts'

const groupSize = 1000

/**
 * Brings the database up to the end of the journal of the last run.
 * @returns the position both are at; every error is the database's own, and the next start goes on from there
 */
export async function replay(
  journal: Pick<Journal, 'node' | 'entriesAfter'>,
  repository: Pick<LedgerRepository, 'flush' | 'journalPosition'>,
  logger: Logger,
): Promise<number> {
  const start = await repository.journalPosition(journal.node)
  let position = start
  let calls = 0
  for (const { count, last, batches } of groupsOf(journal.entriesAfter(start), groupSize)) {
    await repository.flush({ node: journal.node, after: position, last, batches })
    position = last
    calls += count
  }
  if (calls > 0) logger.info({ calls }, 'ledger: settled calls of the last run are in the database now')
  const missing = position - start - calls
  if (missing > 0) {
    logger.error(
      { after: start, missing },
      'ledger: the database is older than the journal, calls between are gone',
    )
  }
  return position
}
