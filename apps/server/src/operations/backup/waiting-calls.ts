import { monotonicClock } from '@tollgate/base'
import { readRunningJournal } from '../../billing/journal/read-running.ts'
import { settledOf } from '../../billing/write-behind/replay-journal.ts'
import type { Logger } from '../../lib/logger.ts'
import type { LedgerRepository } from '../../store/store.ts'

/** Counts the settled calls that a journal has and its database lacks; a gateway may be writing both. */
export async function countWaiting(
  journalDirectory: string,
  ledger: Pick<LedgerRepository, 'journalPosition' | 'journalSpans'>,
  logger: Logger,
): Promise<number> {
  const journal = await readRunningJournal(journalDirectory, (copy) => settledOf(copy, ledger), {
    clock: monotonicClock,
    logger,
  })
  return journal?.entries.length ?? 0
}
