import type { Clock } from '@tollgate/base'
import type { Vault } from '../lib/crypto.ts'
import type { Logger } from '../lib/logger.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Settings } from '../settings/settings.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import { type AccessTokens, createAccessTokens } from './auth/access-tokens.ts'
import type { AttemptLimiter } from './auth/attempt-limiter.ts'
import { createLogin, type LoginAttempt } from './auth/login.ts'
import { createLoginFlow, type Login, type LoginFlow } from './auth/login-flow.ts'
import { createPasskeys, type Passkeys } from './auth/passkeys.ts'
import { createPasswords } from './auth/passwords.ts'
import { createReauthentication, type Reauthentication } from './auth/reauthentication.ts'
import { createSecondFactors, type SecondFactors } from './auth/second-factor.ts'
import { createSessions, type Sessions } from './auth/sessions.ts'
import { createSetup, type Setup } from './setup.ts'
import { createSetupCode, type SetupCode } from './setup-code.ts'
import { createUserDirectory, type UserDirectory } from './user-directory.ts'

/** Users, and how they prove who they are. */
export interface Users {
  readonly setup: Setup
  readonly setupCode: SetupCode
  readonly sessions: Sessions
  readonly directory: UserDirectory
  readonly accessTokens: AccessTokens
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly reauthentication: Reauthentication
  /** How a proof becomes a session. */
  readonly loginFlow: LoginFlow
  login(attempt: LoginAttempt): Promise<Login>
  logout(sessionId: string | undefined): Promise<void>
  /** A user who is not deleted; refuses when there is none. */
  getUser(id: number): Promise<User>
}

interface Dependencies {
  readonly store: Store
  readonly settings: Settings
  readonly events: ChangeBus
  readonly vault: Vault
  readonly tries: AttemptLimiter
  readonly clock: Clock
  readonly monotonic?: Clock
  readonly logger: Logger
  readonly version: string
}

export function createUsers(deps: Dependencies): Users {
  const { store, vault } = deps
  const passwords = createPasswords()
  const directory = createUserDirectory(deps)
  const sessions = createSessions(deps)
  const secondFactors = createSecondFactors(deps)
  const loginFlow = createLoginFlow({ ...deps, sessions, secondFactors })
  return {
    setup: createSetup({ ...deps, passwords }),
    setupCode: createSetupCode(),
    sessions,
    directory,
    accessTokens: createAccessTokens({ store, users: directory, events: deps.events, vault }),
    secondFactors,
    passkeys: createPasskeys(deps),
    reauthentication: createReauthentication({ ...deps, passwords, secondFactors }),
    loginFlow,
    login: createLogin({ ...deps, openLogin: loginFlow.open, passwords }),
    async logout(sessionId) {
      if (sessionId !== undefined) await sessions.end(sessionId)
    },
    async getUser(id) {
      const user = await store.users.find(id)
      if (user === undefined || user.deletedAt !== null) throw new Refusal('record_not_found')
      return user
    },
  }
}
