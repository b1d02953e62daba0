import type { BindingProvider } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Vault } from '../../lib/crypto.ts'
import type { User } from '../../store/accounts/users.ts'
import type { Store } from '../../store/store.ts'
import { inboxOf } from '../mail/mail-address.ts'

/** A proven identity: a subject at a provider, or an inbox (provider `email`, subject the address). */
export interface IdentityClaim {
  readonly provider: BindingProvider
  /** Empty where a provider is its only issuer. */
  readonly issuer: string
  readonly subject: string
}

/**
 * Identities and inboxes that ever had an account here, as keyed hashes. Unbinding and closing an account leave them,
 * so that a once-per-person gift is not given again.
 */
export interface KnownIdentities {
  /** Stores these in the transaction; true when every one of them is new. */
  note(tx: Pick<Store, 'knownIdentities'>, proofs: readonly IdentityClaim[]): Promise<boolean>
}

interface Dependencies {
  readonly vault: Pick<Vault, 'hash'>
  readonly clock: Clock
}

export function createKnownIdentities({ vault, clock }: Dependencies): KnownIdentities {
  const hashOf = ({ provider, issuer, subject }: IdentityClaim) =>
    vault.hash(`known identity ${JSON.stringify([provider, issuer, subjectOf(provider, subject)])}`)

  async function note(
    tx: Pick<Store, 'knownIdentities'>,
    proofs: readonly IdentityClaim[],
  ): Promise<boolean> {
    const hashes = [...new Set(proofs.map(hashOf))]
    return (await tx.knownIdentities.note(hashes, unixSeconds(clock))) === hashes.length
  }

  return { note }
}

/** Returns the subject of an identity; an inbox is the same under all of its aliases. */
function subjectOf(provider: BindingProvider, subject: string): string {
  return provider === 'email' ? inboxOf(subject) : subject
}

/** Everything that identifies an account elsewhere. */
export function identityClaimsOf(
  user: Pick<User, 'email' | 'githubId' | 'oidcId' | 'oidcIssuer' | 'linuxDoId' | 'wechatId' | 'telegramId'>,
): IdentityClaim[] {
  const proofs: IdentityClaim[] = [
    emailClaim(user.email),
    { provider: 'github', issuer: '', subject: user.githubId },
    { provider: 'oidc', issuer: user.oidcIssuer, subject: user.oidcId },
    { provider: 'linuxdo', issuer: '', subject: user.linuxDoId },
    { provider: 'wechat', issuer: '', subject: user.wechatId },
    { provider: 'telegram', issuer: '', subject: user.telegramId },
  ]
  return proofs.filter(({ subject }) => subject !== '')
}

export function emailClaim(address: string): IdentityClaim {
  return { provider: 'email', issuer: '', subject: address }
}
