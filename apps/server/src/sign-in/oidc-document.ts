import type { OidcDocument } from '@tollgate/api'
import { z } from 'zod'
import { Refusal } from '../lib/refusal.ts'
import { fetchFromProvider, readResponse } from './provider-request.ts'

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
 * What a provider says of itself. Refuses with `oidc_document_address` or `oidc_document_failed`.
 * OpenID Connect Discovery 1.0, section 4: https://openid.net/specs/openid-connect-discovery-1_0.html
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
