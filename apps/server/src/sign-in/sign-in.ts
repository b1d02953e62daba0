import { Refusal } from '../lib/refusal.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { User } from '../store/entities.ts'
import { DuplicateError, type Store } from '../store/store.ts'
import type { CreateAccount } from '../users/create-account.ts'
import type { Login, OpenLogin, SignInPlace } from '../users/open-login.ts'
import { openFirstAccount } from './first-account.ts'
import { type ProviderIdentity, providers } from './providers.ts'

/** What becomes of somebody that a provider knows. */
export interface SignIn {
  /** Logs in whoever has the identity; somebody new gets an account, unless it is Telegram that knows them. */
  signIn(identity: ProviderIdentity, aff: string, place: SignInPlace): Promise<Login>
  /** Gives the identity to a user, in the place of the one they had. */
  bind(identity: ProviderIdentity, userId: number): Promise<void>
  /** Refuses unless the identity is the user's already: then the provider has said who they are. */
  prove(identity: ProviderIdentity, userId: number): Promise<void>
}

interface Dependencies {
  readonly store: Pick<Store, 'users'>
  readonly settings: SettingsReader
  readonly createAccount: CreateAccount
  readonly openLogin: OpenLogin
}

export function createSignIn(deps: Dependencies): SignIn {
  const { store, openLogin } = deps

  const find = ({ provider, subject }: ProviderIdentity) =>
    store.users.findByIdentity(providers[provider].field, subject)

  async function firstAccount(identity: ProviderIdentity, aff: string): Promise<User> {
    if (identity.provider === 'telegram') throw new Refusal('telegram_unbound')
    return openFirstAccount(deps, identity, aff)
  }

  return {
    async signIn(identity, aff, place) {
      const user = (await find(identity)) ?? (await firstAccount(identity, aff))
      if (user.deletedAt !== null) throw new Refusal('user_deleted')
      if (user.status === 'banned') throw new Refusal('user_banned')
      return openLogin(user, place)
    },
    async prove(identity, userId) {
      const { title } = providers[identity.provider]
      if ((await find(identity))?.id !== userId) throw new Refusal('identity_not_bound', { provider: title })
    },
    async bind(identity, userId) {
      const { title, field } = providers[identity.provider]
      const owner = await find(identity)
      if (owner?.id === userId) return
      if (owner !== undefined) throw new Refusal('identity_taken', { provider: title })
      await store.users.update(userId, { [field]: identity.subject }).catch((cause: unknown) => {
        throw cause instanceof DuplicateError
          ? new Refusal('identity_taken', { provider: title }, { cause })
          : cause
      })
    },
  }
}
