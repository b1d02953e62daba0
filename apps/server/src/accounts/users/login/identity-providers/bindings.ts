import type { BindingProvider } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../../../../lib/refusal.ts'
import type { Services } from '../../../../services.ts'
import type { User } from '../../../../store/accounts/users.ts'
import { type EmailCodes, mailAddressOf, refuseUnwelcomeAddress } from '../../email-verification.ts'
import { emailClaim, identityClaimsOf, type KnownIdentities } from '../../known-identities.ts'
import { refusingDuplicates } from '../../stored-users.ts'
import type { AccountOwner, Credentials } from '../credentials.ts'
import { emptyFieldsOf, offeredIdentities, providers } from './providers.ts'

interface Dependencies extends Pick<Services, 'store' | 'settings'> {
  readonly credentials: Pick<Credentials, 'writeOwn' | 'withdrawOwn'>
  readonly knownIdentities: Pick<KnownIdentities, 'note'>
  readonly emailCodes: Pick<EmailCodes, 'redeem'>
}

export function createBindings(deps: Dependencies) {
  const { store, settings, credentials, knownIdentities, emailCodes } = deps
  return {
    /** Binds the address that a mailed code proves to a user. */
    async bindEmail(owner: AccountOwner, email: string, code: string): Promise<void> {
      const userId = owner.user.id
      const address = mailAddressOf(email)
      refuseUnwelcomeAddress(address, settings.current)
      await emailCodes.redeem({ email: address, userId }, code)
      const holder = await store.users.findByIdentity('email', address)
      if (holder !== undefined && holder.id !== userId) throw new Refusal('email_taken')
      const bound = credentials.writeOwn(owner, async (tx) => {
        await knownIdentities.note(tx, [...identityClaimsOf(owner.user), emailClaim(address)])
        await tx.users.update(userId, { email: address })
      })
      await refusingDuplicates(bound, 'email_taken')
    },
    /** Takes an identity or the address back; refuses for the last way to sign in. */
    unbind: (owner: AccountOwner, provider: BindingProvider): Promise<void> =>
      // Two concurrent removals take turns here, so the second sees the result of the first.
      credentials.withdrawOwn(owner, async (tx, user) => {
        const userId = user.id
        const { field, title } = provider === 'email' ? emailFacts : providers[provider]
        if (user[field] === '') throw new Refusal('not_bound', { provider: title })
        const left = { ...user, [field]: '' }
        const passkeys = await tx.passkeys.countOwn(userId)
        if (provider !== 'email' && signInMethodCount(left, passkeys, settings.current) === 0)
          throw new Refusal('last_way_to_sign_in')
        await knownIdentities.note(tx, identityClaimsOf(user))
        await tx.users.update(userId, provider === 'email' ? { email: '' } : emptyFieldsOf(provider))
      }),
    /** The same for a passkey of theirs. */
    removePasskey: (owner: AccountOwner, id: number): Promise<void> =>
      credentials.withdrawOwn(owner, async (tx, user) => {
        const userId = user.id
        const own = await tx.passkeys.listOwn(userId)
        if (own.every((passkey) => passkey.id !== id)) throw new Refusal('record_not_found')
        if (signInMethodCount(user, own.length - 1, settings.current) === 0)
          throw new Refusal('last_way_to_sign_in')
        await tx.passkeys.deleteOwn(userId, id)
      }),
  }
}

export type Bindings = ReturnType<typeof createBindings>

const emailFacts = { field: 'email', title: 'e-mail' } as const

/** Counts the ways in which a user can sign in, under the settings in force. */
function signInMethodCount(user: User, passkeys: number, values: SettingValues): number {
  const hasPassword = user.passwordHash !== '' && values.PasswordLoginEnabled
  return (hasPassword ? 1 : 0) + offeredIdentities(user, values).length + passkeys
}
