import { mkdirSync } from 'node:fs'
import { monotonicClock, systemClock } from '@tollgate/base'
import type { Journal } from '../../billing/journal/journal.ts'
import { openJournal } from '../../billing/journal/open.ts'
import { foreignJournal } from '../../billing/journal/owner.ts'
import { describeFindings, reportFindings } from '../../billing/journal-findings.ts'
import { type ReadableJournal, replay } from '../../billing/write-behind/replay-journal.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Store } from '../../store/store.ts'
import { BackupError } from './errors.ts'

/**
 * Opens the journal of a data directory that no gateway uses, and keeps gateways away until it is closed. It is only read.
 * @throws JournalUnusableError when a gateway uses it
 */
export function holdJournal(directory: string, logger: Logger): Journal {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new BackupError(`${directory} cannot be written: choose another folder with DATA_DIR.`, { cause })
  }
  return openJournal({ directory, clock: monotonicClock, logger })
}

/** @throws JournalForeignError when the journal has charges of another database than this one */
export function refuseForeign(journal: Journal, directory: string, database: string): void {
  if (journal.isForeignTo(database)) throw foreignJournal(directory)
}

/**
 * Writes what a journal has and a copy of its database lacks into that copy. The journal stays as it is.
 * @returns how many calls there were
 */
export async function settleInto(
  store: Pick<Store, 'ledger' | 'journalFindings'>,
  journal: Journal,
  logger: Logger,
): Promise<number> {
  const { node, runs } = journal
  const database = await store.ledger.databaseId()
  const unclaimed: ReadableJournal = { node, runs, read: (settled) => journal.read(settled, database) }
  const { calls, findings } = await replay(unclaimed, store.ledger, logger)
  const names = findings.files.map(({ file }) => file.name)
  const found = describeFindings(node, findings, names, systemClock)
  await reportFindings(found, { journalFindings: store.journalFindings, logger })
  return calls
}
