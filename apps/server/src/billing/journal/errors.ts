/** The journal cannot be used; the message is one line for the operator. */
export class JournalUnusableError extends Error {
  override readonly name = 'JournalUnusableError'
}

/** @param where the journal's directory */
export function unreadableJournal(where: string, cause: unknown): JournalUnusableError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new JournalUnusableError(`The journal in ${where} cannot be read: ${reason}`, { cause })
}

/** Another living process has the journal. */
export class JournalInUseError extends JournalUnusableError {}

/** The journal has charges of another database. */
export class JournalForeignError extends JournalUnusableError {}
