import {
  anthropicMessages,
  gemini,
  listOf,
  objectOf,
  parseJson,
  textOf,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import type { ChannelTarget } from '../../channel-target.ts'
import type { ExchangedCredential, SigningTools, TokenRequest } from '../../credential.ts'
import { isOwnAddress, readVertexKey, type VertexKey } from './endpoint.ts'

/** The service account is unknown, or its key is withdrawn. https://developers.google.com/identity/protocols/oauth2/service-account#error-codes */
const refusedKeys: ReadonlySet<unknown> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client'])

/** Failures before a hosted model have Google's own shape; failures of the model itself have Anthropic's. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const body = parseJson(failure.body)
  const { type, error } = objectOf(Array.isArray(body) ? listOf(body)[0] : body)
  if (type === 'error') return anthropicMessages.decodeError(failure)
  const info = gemini.decodeError(failure)
  return refusedKeys.has(error) ? { ...info, kind: 'unauthorized' } : info
}

const scope = 'https://www.googleapis.com/auth/cloud-platform'
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const lifeSeconds = 3600

/**
 * A service account signs a statement of who it is, and gets a token for it; an API key is sent as it is.
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
export const vertexCredential: ExchangedCredential = {
  kind: 'exchanged',
  direct(target) {
    const key = readVertexKey(target.key)
    return key.kind === 'api-key' ? { 'x-goog-api-key': key.key } : undefined
  },
  exchange(target, tools) {
    const key = readVertexKey(target.key)
    if (key.kind === 'api-key') throw new TypeError('an API key is not exchanged')
    return tokenRequest(key, target, tools)
  },
  decodeToken(body) {
    const { access_token, expires_in } = objectOf(body)
    const token = textOf(access_token)
    const life = Number(expires_in)
    return token === '' ? undefined : { token, expiresInSeconds: Number.isFinite(life) ? life : lifeSeconds }
  },
  authorize: (request, token) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${token}` },
  }),
}

type ServiceAccount = Extract<VertexKey, { readonly kind: 'service-account' }>

function tokenRequest(account: ServiceAccount, target: ChannelTarget, tools: SigningTools): TokenRequest {
  return {
    url: tokenAddress(account, target),
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=${encodeURIComponent(grantType)}&assertion=${signedClaims(account, tools)}`,
  }
}

const googleAddress = /^https:\/\/([a-z0-9-]+\.)*(googleapis|google)\.com\//

/**
 * Returns the account's own token address, if it is Google's: a user who may change a key must not make the gateway call any address. A
 * channel with an address of its own replaces Google, or leads to it, so its account may name another address.
 */
function tokenAddress({ tokenUri }: ServiceAccount, { baseUrl }: ChannelTarget): string {
  if (!isOwnAddress(baseUrl) && !googleAddress.test(tokenUri))
    throw new TypeError('the token_uri is not Google’s')
  return tokenUri
}

/** A JSON Web Token (RS256). */
function signedClaims(account: ServiceAccount, tools: SigningTools): string {
  const { clientEmail, privateKey, privateKeyId, tokenUri } = account
  const header = { alg: 'RS256', typ: 'JWT', ...(privateKeyId !== '' && { kid: privateKeyId }) }
  const issuedAt = Math.floor(tools.nowMs / 1000)
  const claims = { iss: clientEmail, scope, aud: tokenUri, iat: issuedAt, exp: issuedAt + lifeSeconds }
  const signed = [header, claims].map((part) => tools.base64url(JSON.stringify(part))).join('.')
  return `${signed}.${tools.base64url(tools.rsaSha256(privateKey, signed))}`
}
