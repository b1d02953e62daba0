import type { Clock } from '@tollgate/base'
import type { Vault } from '../lib/crypto.ts'
import type { Logger } from '../lib/logger.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Settings } from '../settings/settings.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { User } from '../store/entities.ts'
import type { Store } from '../store/store.ts'
import { type AccessTokens, createAccessTokens } from './access-tokens.ts'
import { createLogin, type Login, type LoginAttempt } from './login.ts'
import { createPasswords } from './passwords.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSetup, type Setup } from './setup.ts'
import { createUserDirectory, type UserDirectory } from './user-directory.ts'

/** Users, and how they prove who they are. */
export interface Users {
  readonly setup: Setup
  readonly sessions: Sessions
  readonly directory: UserDirectory
  readonly accessTokens: AccessTokens
  login(attempt: LoginAttempt): Promise<Login>
  logout(sessionId: string | undefined): Promise<void>
  /** A user who is not deleted; refuses when there is none. */
  getUser(id: number): Promise<User>
}

interface Dependencies {
  readonly store: Store
  readonly settings: Settings
  readonly events: ChangeBus
  readonly vault: Pick<Vault, 'hash'>
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
  return {
    setup: createSetup({ ...deps, passwords }),
    sessions,
    directory,
    accessTokens: createAccessTokens({ store, users: directory, events: deps.events, vault }),
    login: createLogin({ ...deps, sessions, passwords }),
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
