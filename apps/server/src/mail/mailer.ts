/** One message to one address. */
export interface Mail {
  readonly to: string
  /** One line. */
  readonly subject: string
  /** Without anything that somebody else wrote and that was not escaped. */
  readonly html: string
}

export interface Mailer {
  /** Whether the operator has set up a mail server. */
  readonly isConfigured: boolean
  /** Resolves when the mail server has taken it. Refuses with `mail_not_configured` or `mail_failed`. */
  send(mail: Mail): Promise<void>
}
