import { Refusal } from '../../lib/refusal.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'
import type { AttemptLimiter } from './attempt-limiter.ts'
import type { Passwords } from './passwords.ts'
import type { SecondFactors } from './second-factor.ts'

/** By what somebody who is logged in can prove once more who they are, providers aside. */
export interface ReauthenticationMethods {
  readonly password: boolean
  readonly code: boolean
  readonly passkey: boolean
}

/** Proofs by what somebody has of this installation. */
export interface Reauthentication {
  methodsOf(user: User): Promise<ReauthenticationMethods>
  /** Refuses unless it is the user's password. */
  byPassword(user: User, password: string): Promise<void>
}

interface Dependencies {
  readonly store: Pick<Store, 'passkeys'>
  readonly settings: SettingsReader
  readonly passwords: Pick<Passwords, 'verify'>
  readonly secondFactors: Pick<SecondFactors, 'isOn'>
  readonly tries: AttemptLimiter
}

export function createReauthentication(deps: Dependencies): Reauthentication {
  const { store, settings, passwords, secondFactors, tries } = deps
  const hasPassword = ({ passwordHash }: User) => passwordHash !== '' && settings.current.PasswordLoginEnabled
  return {
    methodsOf: async (user) => ({
      password: hasPassword(user),
      code: await secondFactors.isOn(user.id),
      passkey: (await store.passkeys.listOwn(user.id)).length > 0,
    }),
    async byPassword(user, password) {
      if (!settings.current.PasswordLoginEnabled) throw new Refusal('password_login_disabled')
      await tries.counted({ kind: 'password', account: user.id }, async () => {
        if (!(await passwords.verify(password, user.passwordHash))) throw new Refusal('password_wrong')
      })
    },
  }
}
