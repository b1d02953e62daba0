import type { HeaderMap, UpstreamEndpoint } from '../../channel-target.ts'
import type { SigningTools, UnsignedRequest } from '../../credential.ts'

/** Credentials of a signature, and the region and service in which it holds. */
export interface SigV4Scope {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly service: string
}

const algorithm = 'AWS4-HMAC-SHA256'
/** Header fields that are signed; others are left unsigned, as proxies between us and the upstream may change them. */
const signedFields = /^(accept|content-type|x-amz-.*)$/
const addressParts = /^https?:\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?/i

/**
 * Signature version 4, in headers. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * @throws TypeError for an invalid address
 */
export function signSigV4(
  request: UnsignedRequest,
  scope: SigV4Scope,
  tools: SigningTools,
): UpstreamEndpoint {
  const timestamp = timestampOf(tools.nowMs)
  const headers: HeaderMap = { ...request.headers, 'x-amz-date': timestamp }
  const { text, signedHeaders } = canonicalRequest({ ...request, headers }, tools)
  const date = timestamp.slice(0, 8)
  const credentialScope = `${date}/${scope.region}/${scope.service}/aws4_request`
  const toSign = [algorithm, timestamp, credentialScope, tools.sha256Hex(text)].join('\n')
  const signature = tools.hmacSha256Hex(signingKey(date, scope, tools), toSign)
  const authorization = `${algorithm} Credential=${scope.accessKeyId}/${credentialScope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
  return { ...request, headers: { ...headers, authorization } }
}

/** Exported for tests: what is hashed, and the names of the headers in it. */
export function canonicalRequest(
  { method, url, headers, body }: UnsignedRequest,
  tools: Pick<SigningTools, 'sha256Hex'>,
): { readonly text: string; readonly signedHeaders: string } {
  const [, host, path = '', query = ''] = addressParts.exec(url) ?? []
  if (host === undefined) throw new TypeError('the address cannot be signed')
  const fields = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replace(/\s+/g, ' ')])
    .filter(([name]) => signedFields.test(name))
  const all = [...fields, ['host', host.toLowerCase()] as const].sort(byName)
  const signedHeaders = all.map(([name]) => name).join(';')
  const lines = all.map(([name, value]) => `${name}:${value}\n`).join('')
  const parts = [
    method,
    canonicalPath(path),
    canonicalQuery(query),
    lines,
    signedHeaders,
    tools.sha256Hex(body),
  ]
  return { text: parts.join('\n'), signedHeaders }
}

/** Every segment, which is encoded for the wire already, is encoded once more. */
function canonicalPath(path: string): string {
  return path === '' ? '/' : path.split('/').map(encoded).join('/')
}

function canonicalQuery(query: string): string {
  const pairs = query.split('&').filter((pair) => pair !== '')
  const split = pairs.map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=')
    return [encoded(decodeURIComponent(name)), encoded(decodeURIComponent(value.join('=')))]
  })
  return split
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function byName([a, x]: readonly [string, string], [b, y]: readonly [string, string]): number {
  return a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1
}

/** RFC 3986: what `encodeURIComponent` leaves alone beyond it is encoded, too. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** `20250102T030405Z` */
function timestampOf(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

function signingKey(date: string, scope: SigV4Scope, tools: SigningTools): Uint8Array {
  const ofDate = tools.hmacSha256(`AWS4${scope.secretAccessKey}`, date)
  const ofRegion = tools.hmacSha256(ofDate, scope.region)
  const ofService = tools.hmacSha256(ofRegion, scope.service)
  return tools.hmacSha256(ofService, 'aws4_request')
}
