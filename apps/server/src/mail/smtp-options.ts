import type { SettingValues } from '@tollgate/api/settings'
import type { Options } from 'nodemailer/lib/smtp-transport'
import { readMailAddress } from './mail-address.ts'

export type SmtpSettings = Pick<
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
export function senderOf({ SMTPServer, SMTPFrom, SMTPAccount }: SmtpSettings): string | undefined {
  if (SMTPServer.trim() === '') return undefined
  return readMailAddress(SMTPFrom.trim() === '' ? SMTPAccount : SMTPFrom)
}

/**
 * How the gateway speaks to the operator's mail server. Certificates are always verified. Without TLS from the start,
 * STARTTLS is used when it is offered; credentials are sent through TLS or not at all.
 */
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
