import type { Seconds } from '../store/units.ts'

/** One message to one address. */
export interface Mail {
  readonly to: string
  /** One line. */
  readonly subject: string
  /** Without text of other people, unless it is escaped. */
  readonly html: string
}

/** Why a mail was not accepted. */
export interface MailFailure {
  readonly at: Seconds
  /** The words of the mail server or of the connection, for the operator alone. */
  readonly reason: string
}

export interface Mailer {
  /** Whether the operator has set up a mail server. */
  readonly isConfigured: boolean
  /** The failure of the last mail; `undefined` when it was sent, and before the first one. */
  readonly lastFailure: MailFailure | undefined
  /** Resolves when the mail server has accepted it. Refuses with `mail_not_configured` or `mail_failed`. */
  send(mail: Mail): Promise<void>
}
