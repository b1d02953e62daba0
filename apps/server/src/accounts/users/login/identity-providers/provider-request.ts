import { z } from 'zod'
import {
  type OutboundRequest,
  type OutboundResponse,
  outboundFetch,
} from '../../../../lib/outbound/outbound-fetch.ts'
import { ProviderResponseError } from './providers.ts'

const timeoutMs = 10_000
const maxBytes = 512 * 1024

type ProviderRequest = Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body' | 'signal'>

/** One bounded request to a provider. Root chose its address, or it is the provider's own. */
export function fetchFromProvider(request: ProviderRequest): Promise<OutboundResponse> {
  const headers = { accept: 'application/json', 'user-agent': 'tollgate', ...request.headers }
  return outboundFetch({ ...request, headers, timeoutMs, maxBytes })
}

/** Parses a provider's response; checks only the fields that are used. */
export function readResponse<Shape extends z.ZodType>(
  { status, body }: OutboundResponse,
  shape: Shape,
): z.output<Shape> {
  if (status !== 200) throw new ProviderResponseError(`HTTP ${status}`)
  const parsed = shape.safeParse(parseJson(body))
  if (!parsed.success) throw new ProviderResponseError('the response is not as documented')
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const tokenResponse = z.object({ access_token: z.string().min(1) })
const tokenRefusal = z.object({ error: z.string().max(100) })

export interface TokenRequest {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** Part of the request that carries the secret (RFC 6749, 2.3.1). */
  readonly authentication: 'basic' | 'form'
  readonly code: string
  readonly redirectUri?: string
  readonly codeVerifier: string | undefined
}

/** Redeems an authorization code (RFC 6749, 4.1.3) at providers that give an access token and nothing to verify. */
export async function redeemCode(request: TokenRequest): Promise<string> {
  const { url, clientId, clientSecret, authentication, code, redirectUri, codeVerifier } = request
  const isBasic = authentication === 'basic'
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    ...(isBasic ? {} : { client_id: clientId, client_secret: clientSecret }),
    ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
  })
  const response = await fetchFromProvider({
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic ? { authorization: basicCredentials(clientId, clientSecret) } : {}),
    },
    body: form.toString(),
  })
  // GitHub reports an error with a status of 200.
  const refusal = tokenRefusal.safeParse(parseJson(response.body))
  if (refusal.success) throw new ProviderResponseError(refusal.data.error)
  return readResponse(response, tokenResponse).access_token
}

function basicCredentials(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

/** Fetches the provider's data on the owner of an access token. */
export async function fetchAsUser<Shape extends z.ZodType>(
  accessToken: string,
  url: string,
  shape: Shape,
): Promise<z.output<Shape>> {
  return readResponse(
    await fetchFromProvider({ url, headers: { authorization: `Bearer ${accessToken}` } }),
    shape,
  )
}
