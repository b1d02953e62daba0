import { Refusal } from '../../../lib/refusal.ts'
import type { Services } from '../../../services.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { AttemptLimiter } from './guesses/attempt-limiter.ts'
import type { Passwords } from './passwords.ts'
import type { SecondFactors } from './second-factor.ts'

/** The means by which a logged-in user can prove their identity again, providers aside. */
export interface ReauthenticationMethods {
  readonly password: boolean
  readonly code: boolean
  readonly passkey: boolean
}

interface Dependencies extends Pick<Services, 'store' | 'settings'> {
  readonly passwords: Pick<Passwords, 'verify'>
  readonly secondFactors: Pick<SecondFactors, 'isOn'>
  readonly attempts: AttemptLimiter
}

/** Proofs by credentials of this installation. */
export function createReauthentication(deps: Dependencies) {
  const { store, settings, passwords, secondFactors, attempts } = deps
  const hasPassword = ({ passwordHash }: User) => passwordHash !== '' && settings.current.PasswordLoginEnabled
  return {
    methodsOf: async (user: User): Promise<ReauthenticationMethods> => ({
      password: hasPassword(user),
      code: await secondFactors.isOn(user.id),
      passkey: (await store.passkeys.listOwn(user.id)).length > 0,
    }),
    /** Refuses unless it is the user's password. */
    async byPassword(user: User, password: string): Promise<void> {
      if (!settings.current.PasswordLoginEnabled) throw new Refusal('password_login_disabled')
      await attempts.counted({ kind: 'password', account: user.id }, async () => {
        if (!(await passwords.verify(password, user.passwordHash))) throw new Refusal('password_wrong')
      })
    },
  }
}
