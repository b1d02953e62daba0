import { JournalForeignError } from './errors.ts'
import type { JournalOwner } from './files.ts'
import type { SegmentHead } from './segment-head.ts'

/** Relation of a journal's charges to the database that a gateway starts with. */
export type Claim =
  /** It was written for this database. */
  | 'own'
  /** It has no database yet. */
  | 'new'
  /** It was written for another database, which has everything in it: it may begin anew. */
  | 'flushed'
  /** It has charges that another database lacks. */
  | 'foreign'

/** Content of a journal, for any claimant. */
interface Content {
  readonly segments: readonly SegmentHead[]
  /** Decides whether it holds entries past a position. */
  hasEntriesAfter(position: number): boolean
}

/**
 * @param owner as the journal's directory says, `undefined` in a new one, or when the file is gone
 * @param database identity of the database that is open now
 * @returns `foreign` for what cannot be told: it must not be charged here
 */
export function claimOf(owner: JournalOwner | undefined, database: string, content: Content): Claim {
  if (owner?.database === database) return 'own'
  const databases = new Set(content.segments.map(({ identity }) => identity?.database))
  // The segments know better than a file of a few bytes beside them.
  if (databases.has(database) && databases.size === 1) return 'own'
  if (owner === undefined) return isUnclaimed(databases) || !content.hasEntriesAfter(0) ? 'new' : 'foreign'
  return owner.flushedTo !== undefined && !content.hasEntriesAfter(owner.flushedTo) ? 'flushed' : 'foreign'
}

/** Decides whether every segment was written before a database had claimed the journal. */
function isUnclaimed(databases: ReadonlySet<string | undefined>): boolean {
  return [...databases].every((name) => name === '')
}

/** @param where the journal's directory, as the operator knows it */
export function foreignJournal(where: string): JournalForeignError {
  return new JournalForeignError(
    `The journal in ${where} has charges of another database: point DATABASE_URL (or DATA_DIR) back to that database so that they are written, or move the folder away to go on without them.`,
  )
}
