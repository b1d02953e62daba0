import type { BindingProvider, OAuthProvider } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../../../../lib/refusal.ts'
import type { SettingsReader } from '../../../../settings/settings.ts'
import type { Identity, User, UserRepository } from '../../../../store/accounts/users.ts'
import { emailClaim, type IdentityClaim } from '../../known-identities.ts'

/** Providers that can prove a person's identity. */
export type Provider = Exclude<BindingProvider, 'email'>

/** A person's identity at a provider. */
export interface ProviderIdentity {
  readonly provider: Provider
  /** Never changes, and is unique at this issuer. */
  readonly subject: string
  /**
   * Issuers of an OIDC subject, its own first, then the addresses that confirmed it, by which older accounts may know it. Empty for
   * providers that are their own issuer.
   */
  readonly issuers: readonly string[]
  readonly displayName: string
  /** A name that the provider proposes; empty when it does not. */
  readonly preferredUsername: string
  /** An address that the provider confirms as verified; else empty. */
  readonly email: string
}

/** Values that the start of a flow sent to a code provider, and the code that the provider returned. */
export interface OAuthCodeExchange {
  readonly code: string
  /** Address of our callback page. */
  readonly redirectUri: string
  /** Absent in flows that were started without PKCE. */
  readonly codeVerifier: string | undefined
  readonly nonce: string | undefined
  /** The issuer of the response, when the provider names it (RFC 9207). */
  readonly issuer: string | undefined
}

export interface AuthorizationRequest {
  readonly state: string
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly nonce: string
}

/** A provider that sends the browser back with a code. */
export interface OAuthClient {
  /** The address to send the browser to. */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>
  /** The owner of a code. Throws `Refusal`, `OutboundError` or `ProviderResponseError`. */
  identify(exchange: OAuthCodeExchange): Promise<ProviderIdentity>
}

/** A provider's response differs from its documentation. The message goes to the log and, as a detail, to people. */
export class ProviderResponseError extends Error {
  override readonly name = 'ProviderAnswerError'
}

export interface ProviderFacts {
  /** Its display name. */
  readonly title: string
  readonly field: Exclude<Identity, 'email' | 'affCode'> | 'oidcId'
  readonly isEnabled: (values: SettingValues) => boolean
}

export const providers = {
  github: { title: 'GitHub', field: 'githubId', isEnabled: (values) => values.GitHubOAuthEnabled },
  oidc: { title: 'OIDC', field: 'oidcId', isEnabled: (values) => values['oidc.enabled'] },
  linuxdo: { title: 'LINUX DO', field: 'linuxDoId', isEnabled: (values) => values.LinuxDOOAuthEnabled },
  wechat: { title: 'WeChat', field: 'wechatId', isEnabled: (values) => values.WeChatAuthEnabled },
  telegram: { title: 'Telegram', field: 'telegramId', isEnabled: (values) => values.TelegramOAuthEnabled },
} as const satisfies Record<Provider, ProviderFacts>

export type OAuthClients = Readonly<Record<OAuthProvider, OAuthClient>>

/** Refuses while the operator has not switched the provider on. */
export function refuseDisabled(provider: Provider, { current }: SettingsReader): void {
  const { title, isEnabled } = providers[provider]
  if (!isEnabled(current)) throw new Refusal('provider_disabled', { provider: title })
}

/** Providers that are switched on and know the user. */
export function offeredIdentities(user: User, values: SettingValues): Provider[] {
  const names = Object.keys(providers) as Provider[]
  return names.filter((name) => user[providers[name].field] !== '' && providers[name].isEnabled(values))
}

type IdentityFields = Partial<Pick<User, (typeof providers)[Provider]['field'] | 'oidcIssuer'>>

/** The fields of an account that store an identity. */
export function fieldsOf({ provider, subject, issuers }: ProviderIdentity): IdentityFields {
  return {
    [providers[provider].field]: subject,
    ...(provider === 'oidc' && { oidcIssuer: issuers[0] ?? '' }),
  }
}

/** The same fields, all empty. */
export function emptyFieldsOf(provider: Provider): IdentityFields {
  return { [providers[provider].field]: '', ...(provider === 'oidc' && { oidcIssuer: '' }) }
}

/** The proofs in an identity: itself, under each of its issuers, and the inbox that came with it. */
export function claimsOfIdentity({ provider, subject, issuers, email }: ProviderIdentity): IdentityClaim[] {
  const named = issuers.length === 0 ? [''] : issuers
  const proofs = named.map((issuer): IdentityClaim => ({ provider, issuer, subject }))
  return email === '' ? proofs : [...proofs, emailClaim(email)]
}

/**
 * The owner of an identity. An account that is bound to an address which just confirmed the identity (bound before
 * issuers were stored) is bound to its issuer from now on.
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
