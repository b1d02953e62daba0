import { Refusal } from '../lib/refusal.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { identityOfClaims, oidcClaims, oidcScope } from './oidc-claims.ts'
import { createDiscoveredOidc } from './oidc-discovered.ts'
import { fetchAsUser, redeemCode } from './provider-request.ts'
import type { OAuthClient, OAuthCodeExchange, ProviderIdentity } from './providers.ts'

/**
 * OpenID Connect. With a well-known address all comes from there and id tokens are verified. Where only the three
 * addresses are known, nobody says who signs: people are then who the user-info address says they are, and it stands for
 * their issuer.
 */
export function createOidc({ settings }: { readonly settings: SettingsReader }): OAuthClient {
  const discovered = createDiscoveredOidc({ settings })
  const hasDiscovery = () => settings.current['oidc.well_known'] !== ''
  return {
    async authorizationUrl(request) {
      if (hasDiscovery()) return discovered.authorizationUrl(request)
      const url = new URL(needed(settings, 'oidc.authorization_endpoint'))
      const parameters = {
        response_type: 'code',
        client_id: settings.current['oidc.client_id'],
        scope: oidcScope,
        redirect_uri: request.redirectUri,
        state: request.state,
        nonce: request.nonce,
        code_challenge: request.codeChallenge,
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url
    },
    identify: (exchange) =>
      hasDiscovery() ? discovered.identify(exchange) : identifyByUserInfo(settings, exchange),
  }
}

async function identifyByUserInfo(
  settings: SettingsReader,
  { code, redirectUri, codeVerifier }: OAuthCodeExchange,
): Promise<ProviderIdentity> {
  const token = await redeemCode({
    url: needed(settings, 'oidc.token_endpoint'),
    clientId: settings.current['oidc.client_id'],
    clientSecret: settings.current['oidc.client_secret'],
    authentication: 'form',
    code,
    redirectUri,
    codeVerifier,
  })
  const userInfo = needed(settings, 'oidc.user_info_endpoint')
  return identityOfClaims(await fetchAsUser(token, userInfo, oidcClaims), [userInfo])
}

type Endpoint = 'oidc.authorization_endpoint' | 'oidc.token_endpoint' | 'oidc.user_info_endpoint'

function needed({ current }: SettingsReader, key: Endpoint): string {
  if (current[key] === '') throw new Refusal('provider_misconfigured', { provider: 'OIDC' })
  return current[key]
}
