import type { UpstreamEndpoint } from '../channel-target.ts'
import type { SigningTools, UnsignedRequest } from '../credential.ts'

export interface Tc3Key {
  readonly secretId: string
  readonly secretKey: string
}

const algorithm = 'TC3-HMAC-SHA256'
const service = 'hunyuan'
const signedHeaders = 'content-type;host;x-tc-action'

/**
 * Tencent Cloud's third signature, in headers. https://cloud.tencent.com/document/api/1729/101843
 * @param request with its `x-tc-action`
 * @throws TypeError for an address that is none
 */
export function signTc3(request: UnsignedRequest, key: Tc3Key, tools: SigningTools): UpstreamEndpoint {
  const timestamp = Math.floor(tools.nowMs / 1000)
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const toSign = [algorithm, timestamp, scope, tools.sha256Hex(canonicalRequest(request, tools))].join('\n')
  const keyOfDate = tools.hmacSha256(`TC3${key.secretKey}`, date)
  const signingKey = tools.hmacSha256(tools.hmacSha256(keyOfDate, service), 'tc3_request')
  const signature = tools.hmacSha256Hex(signingKey, toSign)
  const headers = {
    ...request.headers,
    'x-tc-timestamp': String(timestamp),
    authorization: `${algorithm} Credential=${key.secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  }
  return { ...request, headers }
}

/** All calls go to the root of the host, whatever proxies make of the path. */
export function canonicalRequest(
  { url, headers, body }: UnsignedRequest,
  { sha256Hex }: Pick<SigningTools, 'sha256Hex'>,
): string {
  const [, host] = /^https?:\/\/([^/?#]+)/i.exec(url) ?? []
  if (host === undefined) throw new TypeError('the address cannot be signed')
  const fields = [
    `content-type:${headers['content-type']}`,
    `host:${host.toLowerCase()}`,
    `x-tc-action:${headers['x-tc-action']?.toLowerCase()}`,
  ]
  return ['POST', '/', '', ...fields, '', signedHeaders, sha256Hex(body)].join('\n')
}
