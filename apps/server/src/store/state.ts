import { type Program, query } from './program.ts'
import type { JournalSpan } from './settlement.ts'

/** Last journal entry of a node whose effects are in the database; 0 when there is none. */
export function* readJournalPosition(node: string): Program<number> {
  const [position] = yield* query<{ seq: number }>('select seq from journal_positions where node = ?', [node])
  return position?.seq ?? 0
}

/** What the database has of some starts of nodes. */
export function* readJournalSpans(runs: readonly string[]): Program<readonly JournalSpan[]> {
  if (runs.length === 0) return []
  return yield* query<JournalSpan>(
    `select run, first_seq as first, last_seq as last from journal_spans
      where run in (${runs.map(() => '?').join(', ')}) order by run, first_seq`,
    runs,
  )
}

/** Random id of the database, from its creation. */
export function* readDatabaseId(): Program<string> {
  const [identity] = yield* query<{ id: string }>('select id from database_identity', [])
  if (identity === undefined) throw new Error('the database has no identity')
  return identity.id
}
