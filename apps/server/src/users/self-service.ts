import type { RegisterBody } from '@tollgate/api'
import type { Clock } from '@tollgate/base'
import type { Ledger } from '../billing/ledger-types.ts'
import type { Vault } from '../lib/crypto.ts'
import type { Logger } from '../lib/logger.ts'
import type { Mailer } from '../mail/mailer.ts'
import { createRecipientLimit } from '../mail/recipient-limit.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import type { AttemptLimiter } from './auth/attempt-limiter.ts'
import { createHumanCheck, type HumanCheck } from './auth/human-check.ts'
import { createPasswordReset, type PasswordReset } from './auth/password-reset.ts'
import { createPasswords } from './auth/passwords.ts'
import type { SecurityAlerts } from './auth/security-alerts.ts'
import { createConfirmChatHost } from './chat-hosts.ts'
import { createCloseAccount } from './close-account.ts'
import type { CreateAccount } from './create-account.ts'
import { createEmailCodes, type EmailCodes } from './email-codes.ts'
import { createSendVerificationCode } from './email-verification.ts'
import { createInvitations, type Invitations } from './invitations.ts'
import { createSaveNotificationSetting } from './notification-setting.ts'
import { createRegistration, type Registrant } from './registration.ts'
import { createSelfUpdate } from './self-update.ts'
import type { Setup } from './setup.ts'

/** What people do about accounts of their own, before and after they have one. */
export interface SelfService {
  readonly checkHuman: HumanCheck
  /** Also for whoever binds an address to an account. */
  readonly emailCodes: EmailCodes
  register(body: RegisterBody, registrant: Registrant): Promise<void>
  readonly sendVerificationCode: ReturnType<typeof createSendVerificationCode>
  readonly passwordReset: PasswordReset
  readonly updateSelf: ReturnType<typeof createSelfUpdate>
  readonly closeAccount: ReturnType<typeof createCloseAccount>
  readonly invitations: Invitations
  readonly confirmChatHost: ReturnType<typeof createConfirmChatHost>
  readonly saveNotificationSetting: ReturnType<typeof createSaveNotificationSetting>
}

interface Dependencies {
  readonly store: Store
  readonly settings: SettingsReader
  readonly setup: Pick<Setup, 'isDone'>
  readonly ledger: Pick<Ledger, 'credit'>
  readonly createAccount: CreateAccount
  readonly giveFirstKey?: (user: User) => Promise<void>
  readonly mailer: Mailer
  readonly bus: ChangeBus
  readonly vault: Vault
  readonly tries: AttemptLimiter
  readonly notices: Pick<SecurityAlerts, 'tell'>
  readonly clock: Clock
  /** For limits; the system's when not given. */
  readonly monotonic?: Clock
  readonly logger: Logger
  /** Where Turnstile is asked; Cloudflare when not given. */
  readonly turnstileOrigin?: string
}

export function createSelfService(deps: Dependencies): SelfService {
  const { store, settings, mailer, turnstileOrigin: origin } = deps
  const passwords = createPasswords()
  const codes = createEmailCodes(deps)
  const recipientLimit = () => createRecipientLimit(deps.monotonic)
  return {
    checkHuman: createHumanCheck({ settings, ...(origin !== undefined && { origin }) }),
    emailCodes: codes,
    register: createRegistration({ ...deps, codes, passwords }),
    sendVerificationCode: createSendVerificationCode({
      store,
      settings,
      mailer,
      codes,
      limit: recipientLimit(),
    }),
    // A limit of its own: whoever uses up the codes of an inbox must not keep its owner from a new password.
    passwordReset: createPasswordReset({ ...deps, passwords, limit: recipientLimit() }),
    updateSelf: createSelfUpdate({ ...deps, passwords }),
    closeAccount: createCloseAccount(deps),
    invitations: createInvitations(deps),
    confirmChatHost: createConfirmChatHost(deps),
    saveNotificationSetting: createSaveNotificationSetting({ ...deps, codes }),
  }
}
