import { z } from 'zod'
import type { SettingsReader } from '../../../../settings/settings.ts'
import { readMailAddress } from '../../../mail/mail-address.ts'
import { fetchAsUser, redeemCode } from './provider-request.ts'
import type { AuthorizationRequest, OAuthClient, ProviderIdentity } from './providers.ts'

/** A provider of OAuth 2 (RFC 6749) that gives an access token and nothing to verify, with its current settings. */
export interface OAuthService {
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly clientSecret: string
  /** Part of the request that carries the secret (RFC 6749, 2.3.1). */
  readonly authentication: 'basic' | 'form'
  /** Parameters of an authorization request beside the client, the state and the code challenge. */
  parameters(request: AuthorizationRequest): Readonly<Record<string, string>>
  /** Repeats the address of the callback page in the token request. */
  readonly repeatsRedirectUri: boolean
  /** The owner of an access token. */
  identify(accessToken: string): Promise<ProviderIdentity>
}

/** @param current the service by the settings in force; may refuse incomplete ones */
export function createOAuthClient(current: () => OAuthService): OAuthClient {
  return {
    async authorizationUrl(request) {
      const service = current()
      const url = new URL(service.authorizationEndpoint)
      const parameters = {
        client_id: service.clientId,
        ...service.parameters(request),
        state: request.state,
        code_challenge: request.codeChallenge,
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url
    },
    async identify({ code, redirectUri, codeVerifier }) {
      const service = current()
      const token = await redeemCode({
        url: service.tokenEndpoint,
        clientId: service.clientId,
        clientSecret: service.clientSecret,
        authentication: service.authentication,
        code,
        ...(service.repeatsRedirectUri && { redirectUri }),
        codeVerifier,
      })
      return service.identify(token)
    },
  }
}

/** Addresses of providers with a fixed service. */
export interface ProviderAddresses {
  readonly github: { readonly site: string; readonly api: string }
  readonly linuxDo: string
}

export const providerAddresses: ProviderAddresses = {
  github: { site: 'https://github.com', api: 'https://api.github.com' },
  linuxDo: 'https://connect.linux.do',
}

const gitHubUser = z.object({
  id: z.number().int().positive(),
  name: z.string().nullish(),
  login: z.string().nullish(),
})
const gitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/**
 * GitHub's OAuth apps. The numeric id identifies a person: another person can take over a login name. The callback
 * address is the one registered with the app, so none is sent.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export function gitHub(
  { current }: SettingsReader,
  { site, api }: ProviderAddresses['github'],
): OAuthService {
  /** The primary address when it is verified. Also empty when the user withheld it. */
  async function verifiedEmail(token: string): Promise<string> {
    const known = await fetchAsUser(token, `${api}/user/emails`, gitHubEmails).catch(() => [])
    const address = known.find(({ primary, verified }) => primary && verified)?.email ?? ''
    return readMailAddress(address) ?? ''
  }

  return {
    authorizationEndpoint: `${site}/login/oauth/authorize`,
    tokenEndpoint: `${site}/login/oauth/access_token`,
    clientId: current.GitHubClientId,
    clientSecret: current.GitHubClientSecret,
    authentication: 'form',
    parameters: () => ({ scope: 'user:email' }),
    repeatsRedirectUri: false,
    async identify(token) {
      const [{ id, name, login }, email] = await Promise.all([
        fetchAsUser(token, `${api}/user`, gitHubUser),
        verifiedEmail(token),
      ])
      return {
        provider: 'github',
        subject: String(id),
        issuers: [],
        displayName: name || login || 'GitHub User',
        preferredUsername: '',
        email,
      }
    },
  }
}

const linuxDoUser = z.object({
  id: z.number().int().positive(),
  name: z.string().nullish(),
  username: z.string().nullish(),
})

/** LINUX DO Connect. It gives no address that could be stored. */
export function linuxDo({ current }: SettingsReader, address: string): OAuthService {
  return {
    authorizationEndpoint: `${address}/oauth2/authorize`,
    tokenEndpoint: `${address}/oauth2/token`,
    clientId: current.LinuxDOClientId,
    clientSecret: current.LinuxDOClientSecret,
    authentication: 'basic',
    parameters: ({ redirectUri }) => ({ response_type: 'code', redirect_uri: redirectUri }),
    repeatsRedirectUri: true,
    async identify(token) {
      const { id, name, username } = await fetchAsUser(token, `${address}/api/user`, linuxDoUser)
      return {
        provider: 'linuxdo',
        subject: String(id),
        issuers: [],
        displayName: name || username || 'LINUX DO User',
        preferredUsername: '',
        email: '',
      }
    },
  }
}
