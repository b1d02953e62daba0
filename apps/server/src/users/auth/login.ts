import { passwordMaxLength } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'
import type { AttemptLimiter } from './attempt-limiter.ts'
import type { Login, LoginContext, OpenLogin } from './login-flow.ts'
import type { Passwords } from './passwords.ts'

interface Dependencies {
  readonly store: { readonly users: Pick<Store['users'], 'findByLogin' | 'update'> }
  readonly settings: { readonly current: Pick<SettingValues, 'PasswordLoginEnabled'> }
  readonly openLogin: OpenLogin
  readonly passwords: Passwords
  readonly tries: AttemptLimiter
  readonly logger: Logger
}

export interface LoginAttempt extends LoginContext {
  /** Username or e-mail address. */
  readonly username: string
  readonly password: string
}

/**
 * Opens a session for a username or e-mail address and its password, or asks for the second factor. A wrong name, a wrong password and a banned
 * user take the same time and get the same answer.
 */
export function createLogin({ store, settings, openLogin, passwords, tries, logger }: Dependencies) {
  async function authenticate(name: string, password: string): Promise<User> {
    const user = await store.users.findByLogin(name)
    const account = user?.id ?? name.toLowerCase()
    return tries.counted({ kind: 'password', account }, async () => {
      const isRight = await passwords.verify(password, user?.passwordHash ?? '')
      if (user === undefined || !isRight || user.status !== 'enabled') throw new Refusal('login_failed')
      return user
    })
  }

  async function upgradeHash(user: User, password: string): Promise<void> {
    if (!passwords.isOutdated(user.passwordHash)) return
    try {
      await store.users.update(user.id, { passwordHash: await passwords.hash(password) })
    } catch (err) {
      logger.warn(
        { err, userId: user.id },
        'the password hash could not be upgraded; the next login tries again',
      )
    }
  }

  return async ({ username, password, ...place }: LoginAttempt): Promise<Login> => {
    if (!settings.current.PasswordLoginEnabled) throw new Refusal('password_login_disabled')
    const name = username.trim()
    if (name === '' || password === '') throw new Refusal('login_fields_empty')
    if (password.length > 4 * passwordMaxLength) throw new Refusal('login_failed')
    const user = await authenticate(name, password)
    await upgradeHash(user, password)
    return openLogin(user, place)
  }
}
