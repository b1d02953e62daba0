import type { SettingValues } from '@tollgate/api/settings'
import { systemClock, unixSeconds } from '@tollgate/base'
import type { Options } from 'nodemailer/lib/smtp-transport'
import { Refusal } from '../../lib/refusal.ts'
import type { Seconds } from '../../store/units.ts'
import { readMailAddress } from './mail-address.ts'

interface Dependencies {
  readonly settings: { readonly current: SmtpSettings & Pick<SettingValues, 'SystemName'> }
  /** Certificate (PEM) that is trusted instead of the system's authorities. */
  readonly authority?: string
}

/**
 * Sends through the mail server of the settings in force, a connection for each mail. The refusal's cause has the
 * failure, for the log alone: a server's reply may reveal the operator's account.
 */
export function createMailer({ settings, authority }: Dependencies): Mailer {
  async function deliver({ to, subject, html }: Mail, from: string): Promise<void> {
    // Loaded with the first mail: most processes never send one.
    const { createTransport } = await import('nodemailer')
    const { SystemName: name } = settings.current
    const transport = createTransport({
      ...smtpOptions(settings.current),
      ...(authority !== undefined && { tls: { ca: authority } }),
    })
    await transport.sendMail({
      from: { name: oneLine(name), address: from },
      to: { name: '', address: to },
      subject: oneLine(subject),
      html,
    })
  }

  let lastFailure: MailFailure | undefined
  return {
    get lastFailure() {
      return lastFailure
    },
    get isConfigured() {
      return senderOf(settings.current) !== undefined
    },
    async send(mail) {
      const from = senderOf(settings.current)
      if (from === undefined) throw new Refusal('mail_not_configured')
      const to = readMailAddress(mail.to)
      if (to === undefined) throw new Refusal('email_invalid', { email: mail.to })
      try {
        await deliver({ ...mail, to }, from)
        lastFailure = undefined
      } catch (cause) {
        lastFailure = { at: unixSeconds(systemClock), reason: reasonOf(cause) }
        throw new Refusal('mail_failed', {}, { cause })
      }
    },
  }
}

const maxReason = 300

function reasonOf(cause: unknown): string {
  return oneLine(cause instanceof Error ? cause.message : String(cause)).slice(0, maxReason)
}

/** Removes line ends and other controls, which could start another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** One message to one address. */
export interface Mail {
  readonly to: string
  /** One line. */
  readonly subject: string
  /** Text as HTML, without text of other people unless it is escaped. */
  readonly html: string
}

/** Time and reason of a mail that was not accepted. */
interface MailFailure {
  readonly at: Seconds
  /** The words of the mail server or of the connection, for the operator alone. */
  readonly reason: string
}

export interface Mailer {
  /** Set once the operator has configured a mail server. */
  readonly isConfigured: boolean
  /** The failure of the last mail; `undefined` when it was sent, and before the first one. */
  readonly lastFailure: MailFailure | undefined
  /** Resolves when the mail server has accepted it. Refuses with `mail_not_configured` or `mail_failed`. */
  send(mail: Mail): Promise<void>
}

type SmtpSettings = Pick<
  SettingValues,
  'SMTPServer' | 'SMTPPort' | 'SMTPAccount' | 'SMTPToken' | 'SMTPFrom' | 'SMTPSSLEnabled'
>

const implicitTlsPort = 465
const connectMs = 10_000
/** Longest silence in the middle of a conversation. */
const silenceMs = 20_000

/** The only login method of Microsoft's servers. */
const loginOnlyAccount = /outlook|onmicrosoft/i
const loginOnlyServer = 'smtp.azurecomm.net'

/** The sender's address: `SMTPFrom`, else the account; `undefined` while no mail can be sent. */
function senderOf({ SMTPServer, SMTPFrom, SMTPAccount }: SmtpSettings): string | undefined {
  if (SMTPServer.trim() === '') return undefined
  return readMailAddress(SMTPFrom.trim() === '' ? SMTPAccount : SMTPFrom)
}

/** Returns the options of the connection to the operator's mail server. */
export function smtpOptions(settings: SmtpSettings): Options {
  const { SMTPServer, SMTPPort, SMTPAccount, SMTPToken, SMTPSSLEnabled } = settings
  const server = SMTPServer.trim()
  const hasCredentials = SMTPAccount !== '' && SMTPToken !== ''
  const isLoginOnly = loginOnlyAccount.test(SMTPAccount) || server.toLowerCase() === loginOnlyServer
  return {
    host: server,
    port: SMTPPort,
    secure: SMTPSSLEnabled || SMTPPort === implicitTlsPort,
    requireTLS: hasCredentials,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    ...(hasCredentials && { auth: { user: SMTPAccount, pass: SMTPToken } }),
    ...(isLoginOnly && { authMethod: 'LOGIN' }),
    // A mail's text is our own: it must not load a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
