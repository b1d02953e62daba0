import type { BindingProvider } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { DuplicateError } from '../store/errors.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import type { EmailCodes } from '../users/email-codes.ts'
import { mailAddressOf, refuseUnwelcomeAddress } from '../users/email-rules.ts'
import { emailClaim, identityClaimsOf, type KnownIdentities } from '../users/known-identities.ts'
import { emptyFieldsOf } from './identity.ts'
import { offeredIdentities, providers } from './providers.ts'

export interface Bindings {
  /** Gives a user the address that a mailed code proves. */
  bindEmail(userId: number, email: string, code: string): Promise<void>
  /** Takes an identity or the address back; refuses for the last way to sign in. */
  unbind(userId: number, provider: BindingProvider): Promise<void>
  /** The same for a passkey of theirs. */
  removePasskey(userId: number, id: number): Promise<void>
}

interface Dependencies {
  readonly store: Store
  readonly settings: SettingsReader
  readonly knownIdentities: Pick<KnownIdentities, 'note'>
  readonly emailCodes: Pick<EmailCodes, 'redeem'>
}

export function createBindings({ store, settings, knownIdentities, emailCodes }: Dependencies): Bindings {
  return {
    async bindEmail(userId, email, code) {
      const address = mailAddressOf(email)
      refuseUnwelcomeAddress(address, settings.current)
      await emailCodes.redeem({ email: address, userId }, code)
      const owner = await store.users.findByIdentity('email', address)
      if (owner !== undefined && owner.id !== userId) throw new Refusal('email_taken')
      const bound = store.transaction(async (tx) => {
        const user = await tx.users.lock(userId)
        await knownIdentities.note(tx, [...(user ? identityClaimsOf(user) : []), emailClaim(address)])
        await tx.users.update(userId, { email: address })
      })
      await bound.catch((cause: unknown) => {
        throw cause instanceof DuplicateError ? new Refusal('email_taken', {}, { cause }) : cause
      })
    },
    unbind: (userId, provider) =>
      store.transaction(async (tx) => {
        // Who takes two ways back at once waits here: the second sees what the first has left.
        const user = await tx.users.lock(userId)
        const { field, title } = provider === 'email' ? emailFacts : providers[provider]
        if (user === undefined || user[field] === '') throw new Refusal('not_bound', { provider: title })
        const left = { ...user, [field]: '' }
        const passkeys = (await tx.passkeys.listOwn(userId)).length
        if (provider !== 'email' && signInMethodCount(left, passkeys, settings.current) === 0)
          throw new Refusal('last_way_to_sign_in')
        await knownIdentities.note(tx, identityClaimsOf(user))
        await tx.users.update(userId, provider === 'email' ? { email: '' } : emptyFieldsOf(provider))
      }),
    removePasskey: (userId, id) =>
      store.transaction(async (tx) => {
        const user = await tx.users.lock(userId)
        const own = await tx.passkeys.listOwn(userId)
        if (user === undefined || own.every((passkey) => passkey.id !== id))
          throw new Refusal('record_not_found')
        if (signInMethodCount(user, own.length - 1, settings.current) === 0)
          throw new Refusal('last_way_to_sign_in')
        await tx.passkeys.deleteOwn(userId, id)
      }),
  }
}

const emailFacts = { field: 'email', title: 'e-mail' } as const

/** By how many proofs somebody can sign in, as this site is set up now. */
function signInMethodCount(user: User, passkeys: number, values: SettingValues): number {
  const hasPassword = user.passwordHash !== '' && values.PasswordLoginEnabled
  return (hasPassword ? 1 : 0) + offeredIdentities(user, values).length + passkeys
}
