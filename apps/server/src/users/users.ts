import type { Clock } from '@tollgate/base'
import type { Vault } from '../lib/crypto.ts'
import type { Logger } from '../lib/logger.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Settings } from '../settings/settings.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { User } from '../store/entities.ts'
import type { Store } from '../store/store.ts'
import { type AccessTokens, createAccessTokens } from './access-tokens.ts'
import { createLogin, type LoginAttempt } from './login.ts'
import { createLoginSteps, type Login, type LoginSteps } from './open-login.ts'
import { createOwnerProofs, type OwnerProofs } from './owner-proofs.ts'
import { createPasskeys, type Passkeys } from './passkeys.ts'
import { createPasswords } from './passwords.ts'
import { createSecondFactors, type SecondFactors } from './second-factor.ts'
import type { SecretTries } from './secret-tries.ts'
import { createSessions, type Sessions } from './sessions.ts'
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
  readonly ownerProofs: OwnerProofs
  /** How a proof becomes a session. */
  readonly loginSteps: LoginSteps
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
  readonly tries: SecretTries
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
  const loginSteps = createLoginSteps({ ...deps, sessions, secondFactors })
  return {
    setup: createSetup({ ...deps, passwords }),
    setupCode: createSetupCode(),
    sessions,
    directory,
    accessTokens: createAccessTokens({ store, users: directory, events: deps.events, vault }),
    secondFactors,
    passkeys: createPasskeys(deps),
    ownerProofs: createOwnerProofs({ ...deps, passwords, secondFactors }),
    loginSteps,
    login: createLogin({ ...deps, openLogin: loginSteps.open, passwords }),
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
