import type { SettingValues } from '@tollgate/api/settings'
import { systemClock, unixSeconds } from '@tollgate/base'
import { Refusal } from '../lib/refusal.ts'
import { readMailAddress } from './mail-address.ts'
import type { Mail, Mailer, MailFailure } from './mailer.ts'
import { type SmtpSettings, senderOf, smtpOptions } from './smtp-options.ts'

interface Dependencies {
  readonly settings: { readonly current: SmtpSettings & Pick<SettingValues, 'SystemName'> }
  /** Certificate (PEM) that is trusted instead of the system's authorities. */
  readonly authority?: string
}

/**
 * Sends through the mail server of the settings in force, a connection for each mail. What went wrong is in the refusal's
 * cause, for the log alone: a server's answer may tell a stranger about the operator's account.
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

const longestReason = 300

function reasonOf(cause: unknown): string {
  return oneLine(cause instanceof Error ? cause.message : String(cause)).slice(0, longestReason)
}

/** Without line ends and other controls, which could begin another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
