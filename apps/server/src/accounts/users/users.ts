import type { Clock } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { DeliveryQueue } from '../../lib/outbound/delivery-queue.ts'
import type { Services } from '../../services.ts'
import type { Settings } from '../../settings/settings.ts'
import type { User } from '../../store/accounts/users.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { CreateAccount } from './create-account.ts'
import { createEmailCodes, createSendVerificationCode } from './email-verification.ts'
import { createInvitations } from './invitations.ts'
import { createAccessTokens } from './login/access-tokens.ts'
import { createAdminDuties } from './login/admin-duties.ts'
import { createConsoleViews } from './login/console-views.ts'
import { type AccountOwner, createCredentials } from './login/credentials.ts'
import type { AttemptLimiter } from './login/guesses/attempt-limiter.ts'
import { createHumanCheck } from './login/guesses/human-check.ts'
import { createLogin, createLoginFlow } from './login/login-flow.ts'
import { createPasskeys } from './login/passkeys.ts'
import { createPasswordReset } from './login/password-reset.ts'
import { createPasswords, type Passwords } from './login/passwords.ts'
import { createReauthentication } from './login/reauthentication.ts'
import { createSecondFactors } from './login/second-factor.ts'
import type { SecurityAlerts } from './login/security-alerts.ts'
import type { SecurityEvents } from './login/security-events.ts'
import { createSessions } from './login/sessions.ts'
import { createSaveNotificationSetting } from './notification-setting.ts'
import { createOwnAccount } from './own-account.ts'
import { createRecipientLimit } from './recipient-limit.ts'
import { createRegistration } from './registration.ts'
import { createSetup, createSetupCode } from './setup.ts'
import { activeUser } from './stored-users.ts'
import { createUserDirectory } from './user-directory.ts'

interface Dependencies extends Pick<Services, 'store' | 'bus' | 'vault' | 'clock' | 'logger' | 'auditLog'> {
  readonly settings: Settings
  readonly ledger: Pick<Ledger, 'credit'>
  readonly mailer: Mailer
  readonly deliveries: Pick<DeliveryQueue, 'add'>
  readonly attempts: AttemptLimiter
  readonly alerts: Pick<SecurityAlerts, 'send'>
  readonly securityEvents: SecurityEvents
  readonly createAccount: CreateAccount
  readonly giveFirstKey?: (user: User) => Promise<void>
  readonly version: string
  /** Hashes at the recommended cost by default. */
  readonly passwords?: Passwords
  /** Clock for limits and cached sessions; the system's clock by default. */
  readonly monotonic?: Clock
  /** Address that verifies Turnstile tokens; the service's own by default. */
  readonly turnstileOrigin?: string
}

interface Calling {
  readonly caller: { readonly userId: number }
  readonly sessionId: string | undefined
}

/** Users: how they prove their identity, and what they change about their own accounts. */
export function createUsers(services: Dependencies) {
  const { store, settings, turnstileOrigin: origin, passwords = createPasswords() } = services
  const credentials = createCredentials(services)
  const deps = { ...services, credentials }
  const directory = createUserDirectory(deps)
  const sessions = createSessions(deps)
  const secondFactors = createSecondFactors(deps)
  const duties = createAdminDuties({ settings, secondFactors })
  const loginFlow = createLoginFlow({ ...deps, sessions, secondFactors, duties })
  const setup = createSetup({ ...deps, passwords })
  const codes = createEmailCodes(deps)
  const getUser = async (id: number): Promise<User> => activeUser(await store.users.find(id))
  return {
    setup,
    credentials,
    setupCode: createSetupCode(deps),
    directory,
    sessions,
    views: createConsoleViews({ ...deps, directory }),
    accessTokens: createAccessTokens({ ...deps, users: directory }),
    secondFactors,
    duties,
    passkeys: createPasskeys(deps),
    reauthentication: createReauthentication({ ...deps, passwords, secondFactors }),
    loginFlow,
    login: createLogin({ ...deps, openLogin: loginFlow.open, passwords }),
    /** Also for binding an address to an account. */
    emailCodes: codes,
    checkHuman: createHumanCheck({ settings, ...(origin !== undefined && { origin }) }),
    register: createRegistration({ ...deps, setup, codes, passwords }),
    sendVerificationCode: createSendVerificationCode({
      ...deps,
      codes,
      limit: createRecipientLimit('verification', deps),
    }),
    // A limit of its own: using up the codes of an inbox must not deny its owner a new password.
    passwordReset: createPasswordReset({
      ...deps,
      passwords,
      limit: createRecipientLimit('reset', deps),
    }),
    ownAccount: createOwnAccount({ ...deps, passwords }),
    invitations: createInvitations(deps),
    saveNotificationSetting: createSaveNotificationSetting({ ...deps, codes }),
    /** A user whose account is not closed; refuses when there is none. */
    getUser,
    /** The caller, as they are before their call changes how their account is opened. */
    ownerOf: async ({ caller, sessionId }: Calling): Promise<AccountOwner> => ({
      user: await getUser(caller.userId),
      sessionId,
    }),
  }
}

export type Users = ReturnType<typeof createUsers>
