import type { User, UserRepository } from '../store/repositories/users.ts'
import { emailClaim, type IdentityClaim } from '../users/known-identities.ts'
import { type Provider, type ProviderIdentity, providers } from './providers.ts'

type IdentityFields = Partial<Pick<User, (typeof providers)[Provider]['field'] | 'oidcIssuer'>>

/** What an account keeps of an identity. */
export function fieldsOf({ provider, subject, issuers }: ProviderIdentity): IdentityFields {
  return {
    [providers[provider].field]: subject,
    ...(provider === 'oidc' && { oidcIssuer: issuers[0] ?? '' }),
  }
}

/** The same without any. */
export function emptyFieldsOf(provider: Provider): IdentityFields {
  return { [providers[provider].field]: '', ...(provider === 'oidc' && { oidcIssuer: '' }) }
}

/** What an identity proves: itself, by whichever of its issuers, and the inbox that came with it. */
export function claimsOfIdentity({ provider, subject, issuers, email }: ProviderIdentity): IdentityClaim[] {
  const named = issuers.length === 0 ? [''] : issuers
  const proofs = named.map((issuer): IdentityClaim => ({ provider, issuer, subject }))
  return email === '' ? proofs : [...proofs, emailClaim(email)]
}

/**
 * Whose identity it is. An account that knows it by an address which confirmed it just now, as those from before issuers
 * were kept do, knows it by its issuer from now on.
 */
export async function findOwner(
  users: Pick<UserRepository, 'findByIdentity' | 'findByOidcSubject' | 'update'>,
  { provider, subject, issuers }: ProviderIdentity,
): Promise<User | undefined> {
  if (provider !== 'oidc') return users.findByIdentity(providers[provider].field, subject)
  const [issuer] = issuers
  const owner = await users.findByOidcSubject(subject, issuers)
  if (owner === undefined || issuer === undefined || owner.oidcIssuer === issuer) return owner
  return users.update(owner.id, { oidcIssuer: issuer })
}
