import { z } from 'zod'
import type { ProviderIdentity } from './providers.ts'

export const oidcScope = 'openid profile email'

/** Claims that are used. Providers send some of them as other types, which counts as not sent. */
export const oidcClaims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(254).catch(''),
  email_verified: z
    .union([z.literal(true), z.literal('true')])
    .optional()
    .catch(undefined),
  preferred_username: z.string().catch(''),
  name: z.string().catch(''),
})

/**
 * Somebody, by what the provider claims of them. An address that is not said to be verified is nobody's.
 * @param issuers see `ProviderIdentity.issuers`
 */
export function identityOfClaims(
  given: z.output<typeof oidcClaims>,
  issuers: readonly string[],
): ProviderIdentity {
  const { sub, email, email_verified, preferred_username, name } = given
  return {
    provider: 'oidc',
    subject: sub,
    issuers,
    displayName: name || preferred_username || 'OIDC User',
    preferredUsername: preferred_username,
    email: email_verified === undefined ? '' : email,
  }
}

export function readClaims(value: unknown): z.output<typeof oidcClaims> | undefined {
  return oidcClaims.safeParse(value).data
}
