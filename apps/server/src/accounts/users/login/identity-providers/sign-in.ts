import { usernameMaxLength } from '@tollgate/api'
import { randomAlphanumerics } from '../../../../lib/random.ts'
import { Refusal } from '../../../../lib/refusal.ts'
import type { Services } from '../../../../services.ts'
import type { SettingsReader } from '../../../../settings/settings.ts'
import type { User } from '../../../../store/accounts/users.ts'
import type { CreateAccount } from '../../create-account.ts'
import { reasonAgainstAddress } from '../../email-verification.ts'
import { identityClaimsOf, type KnownIdentities } from '../../known-identities.ts'
import { refusingDuplicates } from '../../stored-users.ts'
import type { AccountOwner, Credentials } from '../credentials.ts'
import type { Login, LoginContext, OpenLogin } from '../login-flow.ts'
import { claimsOfIdentity, fieldsOf, findOwner, type ProviderIdentity, providers } from './providers.ts'

export interface SignedIn {
  readonly login: Login
  /** Set for a sign-in that opened an account. */
  readonly isFirst: boolean
}

interface Dependencies extends Pick<Services, 'store' | 'settings'> {
  readonly credentials: Pick<Credentials, 'writeOwn'>
  readonly knownIdentities: Pick<KnownIdentities, 'note'>
  readonly createAccount: CreateAccount
  readonly openLogin: OpenLogin
}

/** Uses of an identity that a provider confirmed. */
export function createSignIn(deps: Dependencies) {
  const { store, credentials, knownIdentities, openLogin } = deps

  async function firstAccount(identity: ProviderIdentity, aff: string): Promise<User> {
    if (identity.provider === 'telegram') throw new Refusal('telegram_unbound')
    return openFirstAccount(deps, identity, aff)
  }

  return {
    /** Logs in the owner of the identity; opens an account for a new one, except Telegram's. */
    async signIn(identity: ProviderIdentity, aff: string, context: LoginContext): Promise<SignedIn> {
      const known = await findOwner(store.users, identity)
      const user = known ?? (await firstAccount(identity, aff))
      if (user.deletedAt !== null) throw new Refusal('user_deleted')
      if (user.status === 'banned') throw new Refusal('user_banned')
      return {
        login: await openLogin(user, context, providers[identity.provider].title),
        isFirst: known === undefined,
      }
    },
    /** Refuses unless the identity is already bound to the user. */
    async prove(identity: ProviderIdentity, userId: number): Promise<void> {
      const { title } = providers[identity.provider]
      const owner = await findOwner(store.users, identity)
      if (owner?.id !== userId) throw new Refusal('identity_not_bound', { provider: title })
    },
    /** Binds the identity to a user, in place of the one they had. */
    async bind(identity: ProviderIdentity, owner: AccountOwner): Promise<void> {
      const { title } = providers[identity.provider]
      const holder = await findOwner(store.users, identity)
      if (holder?.id === owner.user.id) return
      if (holder !== undefined) throw new Refusal('identity_taken', { provider: title })
      const bound = credentials.writeOwn(owner, async (tx, { id }) => {
        await knownIdentities.note(tx, [...identityClaimsOf(owner.user), ...claimsOfIdentity(identity)])
        await tx.users.update(id, fieldsOf(identity))
      })
      await refusingDuplicates(bound, 'identity_taken', { provider: title })
    },
  }
}

export type SignIn = ReturnType<typeof createSignIn>

/** Refusals of a name that a provider proposes: another one will do. */
const unfitNames: ReadonlySet<Refusal['code']> = new Set(['username_taken', 'username_like_administrator'])

/** Random names are rarely taken; a proposed one may well be. */
const maxAttempts = 4
const displayNameMaxLength = 50

/**
 * Opens an account at a first sign-in. The rules of registration hold: with a whitelist of domains, the provider must
 * give a verified address of one of them.
 */
async function openFirstAccount(
  deps: Pick<Dependencies, 'store' | 'settings' | 'createAccount'>,
  identity: ProviderIdentity,
  aff: string,
): Promise<User> {
  const { store, createAccount } = deps
  refuseUnfit(deps.settings, identity)
  const inviter = await store.users.findByIdentity('affCode', aff)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    try {
      const account = {
        username: usernameFor(identity, attempt),
        displayName: [...identity.displayName].slice(0, displayNameMaxLength).join(''),
        passwordHash: '',
        // An address of another account stays there: a provider's word does not join accounts.
        email: (await store.users.findByIdentity('email', identity.email)) ? '' : identity.email,
        ...fieldsOf(identity),
        inviterId: inviter?.id ?? 0,
      }
      return await createAccount(account, { proofs: claimsOfIdentity(identity) })
    } catch (error) {
      if (!(error instanceof Refusal && unfitNames.has(error.code))) throw error
      // A double click signs in twice.
      const known = await findOwner(store.users, identity)
      if (known !== undefined) return known
    }
  }
  throw new Refusal('username_taken')
}

function refuseUnfit({ current }: SettingsReader, { provider, email }: ProviderIdentity): void {
  if (!current.RegisterEnabled) throw new Refusal('new_users_closed')
  if (reasonAgainstAddress(email, current) !== undefined)
    throw new Refusal('email_not_admitted', { provider: providers[provider].title })
}

/** Returns the proposed name if it is a valid one; after that with a random ending; else the provider's name with one. */
function usernameFor({ provider, preferredUsername }: ProviderIdentity, attempt: number): string {
  const proposed = preferredUsername.trim()
  const isFit = /^[\p{L}\p{N}._-]+$/u.test(proposed) && [...proposed].length <= usernameMaxLength
  if (!isFit || attempt > 1) return `${provider}_${randomAlphanumerics(8)}`
  if (attempt === 0) return proposed
  return `${[...proposed].slice(0, usernameMaxLength - 5).join('')}_${randomAlphanumerics(4)}`
}
