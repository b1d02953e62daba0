import type { BindingProvider, OAuthProvider } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Identity, User } from '../store/repositories/users.ts'

/** Who can say who somebody is. */
export type Provider = Exclude<BindingProvider, 'email'>

/** Somebody, as a provider names them. */
export interface ProviderIdentity {
  readonly provider: Provider
  /** Never changes, and is nobody else's at this issuer. */
  readonly subject: string
  /**
   * Of OIDC: who vouches for the subject, its issuer first, then the addresses that confirmed it, by which accounts from
   * before may know it. None for providers that are their own issuer.
   */
  readonly issuers: readonly string[]
  readonly displayName: string
  /** A name that the provider proposes; empty when it does not. */
  readonly preferredUsername: string
  /** An address that the provider says is theirs and verified; else empty. */
  readonly email: string
}

/** What a code provider was told at the start of a flow, and sent back. */
export interface OAuthCodeExchange {
  readonly code: string
  /** Of our callback page. */
  readonly redirectUri: string
  /** Absent in flows that were started without PKCE. */
  readonly codeVerifier: string | undefined
  readonly nonce: string | undefined
  /** Who answered, when the provider says so (RFC 9207). */
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
  /** Where the browser is sent. */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>
  /** Whose code it is. Throws `Refusal`, `OutboundError` or `ProviderResponseError`. */
  identify(exchange: OAuthCodeExchange): Promise<ProviderIdentity>
}

/** A provider answered something else than it documents. The message is for the log and, as a detail, for people. */
export class ProviderResponseError extends Error {
  override readonly name = 'ProviderAnswerError'
}

export interface ProviderFacts {
  /** As people know it. */
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
