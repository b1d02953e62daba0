import type { SettingValues } from '@tollgate/api/settings'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { z } from 'zod'
import type { SettingsReader } from '../../../../settings/settings.ts'
import { readMailAddress } from '../../../mail/mail-address.ts'
import { fetchFromProvider } from './provider-request.ts'
import {
  type OAuthClient,
  type OAuthCodeExchange,
  type ProviderIdentity,
  ProviderResponseError,
} from './providers.ts'

export const oidcScope = 'openid profile email'

/** The claims in use. Providers send some of them as other types, which counts as absent. */
export const oidcClaims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(254).catch(''),
  email_verified: z.unknown().optional(),
  xms_edov: z.unknown().optional(),
  preferred_username: z.string().catch(''),
  name: z.string().catch(''),
})

type Claims = z.output<typeof oidcClaims>

/** Claims by which providers vouch for an address, the first that is there decides, and what each says for yes. */
const vouchingClaims: readonly { readonly claim: keyof Claims; readonly yes: readonly unknown[] }[] = [
  // https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims
  { claim: 'email_verified', yes: [true, 'true'] },
  // Microsoft Entra has no other, and this one where the application asks for it.
  // https://learn.microsoft.com/en-us/entra/identity-platform/optional-claims-reference
  { claim: 'xms_edov', yes: [true, 'true', 1, '1'] },
]

/** Decides whether an address counts as verified; where the provider does not say, by the operator's option. */
function isVerified(claims: Claims, { 'oidc.email_trust_enabled': isTrusted }: SettingValues): boolean {
  const found = vouchingClaims.find(({ claim }) => (claims[claim] ?? undefined) !== undefined)
  return found === undefined ? isTrusted : found.yes.includes(claims[found.claim])
}

/**
 * Returns the person whom the provider's claims describe. Drops an e-mail address that does not count as verified, or is none.
 * @param issuers see `ProviderIdentity.issuers`
 */
export function identityOfClaims(
  claims: Claims,
  issuers: readonly string[],
  { current }: SettingsReader,
): ProviderIdentity {
  const { sub, email, preferred_username, name } = claims
  return {
    provider: 'oidc',
    subject: sub,
    issuers,
    displayName: name || preferred_username || 'OIDC User',
    preferredUsername: preferred_username,
    email: isVerified(claims, current) ? (readMailAddress(email) ?? '') : '',
  }
}

function readClaims(value: unknown): Claims | undefined {
  return oidcClaims.safeParse(value).data
}

/** After this the discovery document is loaded again. */
const believedMs = 3_600_000

// Few requests need it: it is loaded with the first sign-in.
const library = () => import('openid-client')

interface Known {
  readonly key: string
  readonly until: number
  readonly configuration: Promise<Configuration>
}

/** A provider with a discovery document; its id tokens are verified with the keys it publishes. */
export function createDiscoveredOidc({ settings }: { readonly settings: SettingsReader }): OAuthClient {
  let known: Known | undefined

  function configuration(): Promise<Configuration> {
    const { current } = settings
    const key = JSON.stringify([
      current['oidc.well_known'],
      current['oidc.client_id'],
      current['oidc.client_secret'],
    ])
    if (known?.key !== key || known.until < performance.now()) {
      const requested = discover(settings)
      known = { key, until: performance.now() + believedMs, configuration: requested }
      requested.catch(() => {
        if (known?.configuration === requested) known = undefined
      })
    }
    return known.configuration
  }

  return {
    async authorizationUrl({ state, redirectUri, codeChallenge, nonce }) {
      const { buildAuthorizationUrl } = await library()
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: oidcScope,
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      })
    },
    async identify(exchange) {
      const { ClientError } = await library()
      try {
        return await identify(await configuration(), settings, exchange)
      } catch (error) {
        // The wrapped error says more than the library's own.
        if (error instanceof ClientError && error.cause instanceof Error) throw error.cause
        throw error
      }
    },
  }
}

async function discover({ current }: SettingsReader): Promise<Configuration> {
  const client = await library()
  const server = new URL(current['oidc.well_known'])
  return client.discovery(
    server,
    current['oidc.client_id'],
    {},
    await clientAuthentication(current['oidc.client_secret']),
    {
      [client.customFetch]: boundedFetch,
      execute: [
        // Signatures of id tokens are verified, although they came from the provider itself.
        client.enableNonRepudiationChecks,
        // Root set an http address, for a provider of the same network.
        ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  )
}

/** Authenticates in the form by default; by HTTP Basic when the provider does not support the form. */
async function clientAuthentication(secret: string): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await library()
  return (server, ...request) => {
    const supported = server.token_endpoint_auth_methods_supported
    const takesForm = supported === undefined || supported.includes('client_secret_post')
    return (takesForm ? ClientSecretPost(secret) : ClientSecretBasic(secret))(server, ...request)
  }
}

async function identify(
  configuration: Configuration,
  settings: SettingsReader,
  { code, redirectUri, codeVerifier, nonce, issuer }: OAuthCodeExchange,
) {
  const { authorizationCodeGrant, fetchUserInfo } = await library()
  const metadata = configuration.serverMetadata()
  // The state is checked by now, and left out. Older callback pages do not pass the issuer on.
  const callbackUrl = new URL(redirectUri)
  callbackUrl.search = new URLSearchParams({ code, iss: issuer ?? metadata.issuer }).toString()
  const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
    idTokenExpected: true,
    ...(codeVerifier === undefined ? {} : { pkceCodeVerifier: codeVerifier }),
    ...(nonce === undefined ? {} : { expectedNonce: nonce }),
  })
  const token = tokens.claims()
  if (token === undefined) throw new ProviderResponseError('no id token')
  const { userinfo_endpoint: userInfo } = metadata
  // Refuses another subject than the token's: the accepted issuers come from both.
  const userClaims =
    userInfo === undefined ? {} : await fetchUserInfo(configuration, tokens.access_token, token.sub)
  const claims = readClaims({ ...token, ...userClaims })
  if (claims === undefined) throw new ProviderResponseError('the claims are not as documented')
  const wellKnown = settings.current['oidc.well_known']
  const issuers = [token.iss, wellKnown, ...(userInfo === undefined ? [] : [userInfo])]
  return identityOfClaims(claims, issuers, settings)
}

const boundedFetch: CustomFetch = async (url, { method, headers, body, signal }) => {
  const response = await fetchFromProvider({
    url,
    method,
    headers,
    body: body === undefined || body === null ? undefined : String(body),
    ...(signal ? { signal } : {}),
  })
  const type = response.headers['content-type']
  const isEmpty = response.status === 204
  return new Response(isEmpty ? null : response.body, {
    status: response.status,
    headers: type === undefined ? {} : { 'content-type': type },
  })
}
