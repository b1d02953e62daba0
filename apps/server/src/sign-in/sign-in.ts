import { Refusal } from '../lib/refusal.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { DuplicateError } from '../store/errors.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import type { Login, LoginContext, OpenLogin } from '../users/auth/login-flow.ts'
import type { CreateAccount } from '../users/create-account.ts'
import { identityClaimsOf, type KnownIdentities } from '../users/known-identities.ts'
import { openFirstAccount } from './first-account.ts'
import { claimsOfIdentity, fieldsOf, findOwner } from './identity.ts'
import { type ProviderIdentity, providers } from './providers.ts'

export interface SignedIn {
  readonly login: Login
  /** Whether it opened an account. */
  readonly isFirst: boolean
}

/** What becomes of somebody that a provider knows. */
export interface SignIn {
  /** Logs in whoever has the identity; somebody new gets an account, unless it is Telegram that knows them. */
  signIn(identity: ProviderIdentity, aff: string, place: LoginContext): Promise<SignedIn>
  /** Gives the identity to a user, in the place of the one they had. */
  bind(identity: ProviderIdentity, userId: number): Promise<void>
  /** Refuses unless the identity is the user's already: then the provider has said who they are. */
  prove(identity: ProviderIdentity, userId: number): Promise<void>
}

interface Dependencies {
  readonly store: Pick<Store, 'users' | 'transaction'>
  readonly settings: SettingsReader
  readonly knownIdentities: Pick<KnownIdentities, 'note'>
  readonly createAccount: CreateAccount
  readonly openLogin: OpenLogin
}

export function createSignIn(deps: Dependencies): SignIn {
  const { store, knownIdentities, openLogin } = deps

  async function firstAccount(identity: ProviderIdentity, aff: string): Promise<User> {
    if (identity.provider === 'telegram') throw new Refusal('telegram_unbound')
    return openFirstAccount(deps, identity, aff)
  }

  return {
    async signIn(identity, aff, place) {
      const known = await findOwner(store.users, identity)
      const user = known ?? (await firstAccount(identity, aff))
      if (user.deletedAt !== null) throw new Refusal('user_deleted')
      if (user.status === 'banned') throw new Refusal('user_banned')
      return { login: await openLogin(user, place), isFirst: known === undefined }
    },
    async prove(identity, userId) {
      const { title } = providers[identity.provider]
      const owner = await findOwner(store.users, identity)
      if (owner?.id !== userId) throw new Refusal('identity_not_bound', { provider: title })
    },
    async bind(identity, userId) {
      const { title } = providers[identity.provider]
      const owner = await findOwner(store.users, identity)
      if (owner?.id === userId) return
      if (owner !== undefined) throw new Refusal('identity_taken', { provider: title })
      const bound = store.transaction(async (tx) => {
        const user = await tx.users.lock(userId)
        await knownIdentities.note(tx, [
          ...(user ? identityClaimsOf(user) : []),
          ...claimsOfIdentity(identity),
        ])
        await tx.users.update(userId, fieldsOf(identity))
      })
      await bound.catch((cause: unknown) => {
        throw cause instanceof DuplicateError
          ? new Refusal('identity_taken', { provider: title }, { cause })
          : cause
      })
    },
  }
}
