import type { Logger } from '../lib/logger.ts'
import { packTexts } from '../store/settlement-pack.ts'
import type { LedgerRepository } from '../store/store.ts'
import type { Journal, JournalEntry } from './journal/journal.ts'

const groupSize = 1000

/**
 * Brings the database up to the end of the journal of the last run.
 * @returns the position both are at; every error is the database's own, and the next start goes on from there
 */
export async function replay(
  journal: Pick<Journal, 'node' | 'entriesAfter'>,
  repository: Pick<LedgerRepository, 'drain' | 'journalPosition'>,
  logger: Logger,
): Promise<number> {
  const start = await repository.journalPosition(journal.node)
  let position = start
  let calls = 0
  for (const group of groupsOf(journal.entriesAfter(start))) {
    const last = group.at(-1)?.seq ?? position
    const packs = packTexts(group.map(({ text }) => text))
    await repository.drain({ node: journal.node, after: position, last, packs })
    position = last
    calls += group.length
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

function* groupsOf(entries: Iterable<JournalEntry>): Generator<readonly JournalEntry[]> {
  let group: JournalEntry[] = []
  for (const entry of entries) {
    group.push(entry)
    if (group.length < groupSize) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
