import { usernameMaxLength } from '@tollgate/api'
import { randomAlphanumerics } from '../lib/random.ts'
import { Refusal } from '../lib/refusal.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import type { CreateAccount } from '../users/create-account.ts'
import { reasonAgainstAddress } from '../users/email-rules.ts'
import { claimsOfIdentity, fieldsOf, findOwner } from './identity.ts'
import { type ProviderIdentity, providers } from './providers.ts'

interface Dependencies {
  readonly store: Pick<Store, 'users'>
  readonly settings: SettingsReader
  readonly createAccount: CreateAccount
}

/** Names are random, so one that is taken is a rarity; a proposed one may well be. */
const tries = 4
const displayNameMaxLength = 50

/**
 * Opens an account for somebody who signs in for the first time. The rules for new users hold here as for the form: with
 * a whitelist of domains the provider has to say a verified address of one of them.
 */
export async function openFirstAccount(
  deps: Dependencies,
  identity: ProviderIdentity,
  aff: string,
): Promise<User> {
  const { store, createAccount } = deps
  refuseUnfit(deps.settings, identity)
  const inviter = await store.users.findByIdentity('affCode', aff)
  for (let attempt = 0; attempt < tries; attempt += 1) {
    try {
      const account = {
        username: usernameFor(identity, attempt),
        displayName: [...identity.displayName].slice(0, displayNameMaxLength).join(''),
        passwordHash: '',
        // An address that is somebody's stays theirs: a provider's word is no reason to join two accounts.
        email: (await store.users.findByIdentity('email', identity.email)) ? '' : identity.email,
        ...fieldsOf(identity),
        inviterId: inviter?.id ?? 0,
      }
      return await createAccount(account, { proofs: claimsOfIdentity(identity) })
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'username_taken')) throw error
      // Somebody who clicks twice arrives twice.
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

/** As proposed, when that is a name that registration takes; then the same with an end; else the provider's with one. */
function usernameFor({ provider, preferredUsername }: ProviderIdentity, attempt: number): string {
  const proposed = preferredUsername.trim()
  const isFit = /^[\p{L}\p{N}._-]+$/u.test(proposed) && [...proposed].length <= usernameMaxLength
  if (!isFit || attempt > 1) return `${provider}_${randomAlphanumerics(8)}`
  if (attempt === 0) return proposed
  return `${[...proposed].slice(0, usernameMaxLength - 5).join('')}_${randomAlphanumerics(4)}`
}
