import { JournalForeignError } from './errors.ts'
import type { JournalOwner } from './files.ts'

/** Whose charges a journal has when a gateway starts with a database. */
export type Claim =
  /** It was written for this database. */
  | 'own'
  /** It has no database yet. */
  | 'new'
  /** It was written for another database, which has everything in it: it may begin anew. */
  | 'flushed'
  /** It has charges that another database lacks. */
  | 'foreign'

/**
 * @param owner as the journal's directory says, `undefined` in a new one
 * @param database identity of the database that is open now
 * @param holdsPast whether the journal holds entries past a position
 */
export function claimOf(
  owner: JournalOwner | undefined,
  database: string,
  hasEntriesAfter: (position: number) => boolean,
): Claim {
  if (owner === undefined) return 'new'
  if (owner.database === database) return 'own'
  return owner.flushedTo !== undefined && !hasEntriesAfter(owner.flushedTo) ? 'flushed' : 'foreign'
}

/** @param where the journal's directory, as the operator knows it */
export function foreignJournal(where: string): JournalForeignError {
  return new JournalForeignError(
    `The journal in ${where} has charges of another database: point DATABASE_URL (or DATA_DIR) back to that database so that they are written, or move the folder away to go on without them.`,
  )
}
