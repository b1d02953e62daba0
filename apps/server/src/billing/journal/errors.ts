/** The journal cannot be used; the message is one line for the operator. */
export class JournalUnusableError extends Error {
  override readonly name = 'JournalUnusableError'
}

/** Another living process has the journal. */
export class JournalInUseError extends JournalUnusableError {}

/** The journal has charges of another database. */
export class JournalForeignError extends JournalUnusableError {}
