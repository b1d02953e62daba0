import type { OidcDocument } from '@tollgate/api'
import { z } from 'zod'
import { Refusal } from '../../../../lib/refusal.ts'
import type { SettingsReader } from '../../../../settings/settings.ts'
import { createOAuthClient, type OAuthService } from './oauth-clients.ts'
import { createDiscoveredOidc, identityOfClaims, oidcClaims, oidcScope } from './oidc-discovered.ts'
import { fetchAsUser, fetchFromProvider, readResponse } from './provider-request.ts'
import type { OAuthClient } from './providers.ts'

/**
 * OpenID Connect. With a well-known address everything comes from there and id tokens are verified. With the three
 * addresses alone there is no key to verify tokens with: the user-info address identifies people, and is their issuer.
 */
export function createOidc(settings: SettingsReader): OAuthClient {
  const discovered = createDiscoveredOidc({ settings })
  const byUserInfo = createOAuthClient(() => userInfoService(settings))
  const client = () => (settings.current['oidc.well_known'] === '' ? byUserInfo : discovered)
  return {
    authorizationUrl: (request) => client().authorizationUrl(request),
    identify: (exchange) => client().identify(exchange),
  }
}

function userInfoService(settings: SettingsReader): OAuthService {
  const { current } = settings
  const needed = (key: 'authorization_endpoint' | 'token_endpoint' | 'user_info_endpoint') => {
    const address = current[`oidc.${key}`]
    if (address === '') throw new Refusal('provider_misconfigured', { provider: 'OIDC' })
    return address
  }
  return {
    // Reads each address on demand: the redirect needs the first alone, the callback the other two.
    get authorizationEndpoint() {
      return needed('authorization_endpoint')
    },
    get tokenEndpoint() {
      return needed('token_endpoint')
    },
    clientId: current['oidc.client_id'],
    clientSecret: current['oidc.client_secret'],
    authentication: 'form',
    parameters: ({ redirectUri, nonce }) => ({
      response_type: 'code',
      scope: oidcScope,
      redirect_uri: redirectUri,
      nonce,
    }),
    repeatsRedirectUri: true,
    async identify(token) {
      const userInfo = needed('user_info_endpoint')
      return identityOfClaims(await fetchAsUser(token, userInfo, oidcClaims), [userInfo], settings)
    },
  }
}

const endpoint = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .nullish()

const wellKnown = z.object({
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  userinfo_endpoint: endpoint,
})

/**
 * A provider's discovery document. Refuses with `oidc_document_address` or `oidc_document_failed`. OpenID Connect
 * Discovery 1.0, section 4: https://openid.net/specs/openid-connect-discovery-1_0.html
 */
export async function readOidcDocument(url: string): Promise<OidcDocument> {
  const address = url.trim()
  if (!/^https?:\/\//i.test(address)) throw new Refusal('oidc_document_address')
  try {
    const found = readResponse(await fetchFromProvider({ url: address }), wellKnown)
    if (!found.authorization_endpoint) throw new Error('the document names no address to send people to')
    return {
      authorization_endpoint: found.authorization_endpoint,
      token_endpoint: found.token_endpoint ?? '',
      userinfo_endpoint: found.userinfo_endpoint ?? '',
    }
  } catch (cause) {
    throw new Refusal('oidc_document_failed', {}, { cause })
  }
}
