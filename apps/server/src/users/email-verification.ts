import { type Language, mailedSecretMinutes } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { RecipientLimit } from '../mail/recipient-limit.ts'
import { addressInUseMessage } from '../mail/templates/address-in-use.ts'
import { verificationCodeMessage } from '../mail/templates/verification-code.ts'
import type { Store } from '../store/store.ts'
import type { EmailCodes } from './email-codes.ts'
import { type EmailSettings, mailAddressOf, refuseUnwelcomeAddress } from './email-rules.ts'

interface Dependencies {
  readonly store: { readonly users: Pick<Store['users'], 'findByIdentity'> }
  readonly settings: { readonly current: EmailSettings & Pick<SettingValues, 'SystemName'> }
  readonly mailer: Mailer
  readonly codes: EmailCodes
  readonly limit: RecipientLimit
}

interface CodeRequest {
  readonly email: string
  /** Of a visitor with a session, who wants to bind the address. */
  readonly userId: number | undefined
  readonly language: Language
}

/**
 * Mails a code that proves the address. When it belongs to an account already, its owner is told so by mail instead, and
 * whoever asks gets the same answer, after the same time.
 */
export function createSendVerificationCode({ store, settings, mailer, codes, limit }: Dependencies) {
  return async ({ email, userId, language }: CodeRequest): Promise<void> => {
    const address = mailAddressOf(email)
    refuseUnwelcomeAddress(address, settings.current)
    if (!mailer.isConfigured) throw new Refusal('mail_not_configured')
    limit.take(address)
    const owner = await store.users.findByIdentity('email', address)
    const facts = { systemName: settings.current.SystemName, language }
    const message =
      owner === undefined
        ? verificationCodeMessage({
            ...facts,
            code: await codes.issue({ email: address, userId }),
            minutes: mailedSecretMinutes,
          })
        : addressInUseMessage(facts)
    await mailer.send({ to: owner?.email ?? address, ...message })
  }
}
