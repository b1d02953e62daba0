import type { Language } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from './mailer.ts'
import { testMailMessage } from './templates.ts'

interface Dependencies {
  readonly store: { readonly users: Pick<Store['users'], 'find'> }
  readonly settings: SettingsReader
  readonly mailer: Mailer
}

/**
 * Sends a mail that confirms that mail works.
 * @param address empty for that of the account. Refuses with `email_required` without an address, and with
 * `mail_test_failed` and the reason of the mail server.
 */
export type SendTestMail = (userId: number, address: string, language: Language) => Promise<void>

export function createSendTestMail({ store, settings, mailer }: Dependencies): SendTestMail {
  return async (userId, address, language) => {
    const to = address.trim() || ((await store.users.find(userId))?.email ?? '')
    if (to === '') throw new Refusal('email_required')
    const message = testMailMessage({ systemName: settings.current.SystemName, language })
    await mailer.send({ to, ...message }).catch((cause: unknown) => {
      const reason = mailer.lastFailure?.reason
      const isServers = cause instanceof Refusal && cause.code === 'mail_failed' && reason !== undefined
      throw isServers ? new Refusal('mail_test_failed', { reason }, { cause }) : cause
    })
  }
}
