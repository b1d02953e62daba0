import type { UpstreamEndpoint } from '../../channel-target.ts'
import { bearer, keyParts, type SigningTools, type UnsignedRequest } from '../../credential.ts'
import { defineProvider } from '../../define-provider.ts'
import { isGatewayKey } from '../../video/report.ts'
import { decodeError } from './errors.ts'
import { jimengVideo } from './video.ts'

interface VolcengineKey {
  readonly accessKey: string
  readonly secretKey: string
}

const algorithm = 'HMAC-SHA256'
const region = 'cn-north-1'
const service = 'cv'
const signedHeaders = 'content-type;host;x-content-sha256;x-date'

/**
 * Volcengine's signature, in headers. https://www.volcengine.com/docs/6369/67269
 * @param request with its `content-type`
 * @throws TypeError for an invalid address
 */
export function signVolcengine(
  request: UnsignedRequest,
  { accessKey, secretKey }: VolcengineKey,
  tools: SigningTools,
): UpstreamEndpoint {
  const date = new Date(tools.nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = date.slice(0, 8)
  const scope = `${day}/${region}/${service}/request`
  const toSign = [algorithm, date, scope, tools.sha256Hex(canonicalRequest(request, date, tools))].join('\n')
  const signature = tools.hmacSha256Hex(signingKey(secretKey, day, tools), toSign)
  const headers = {
    ...request.headers,
    'x-date': date,
    'x-content-sha256': tools.sha256Hex(request.body),
    authorization: `${algorithm} Credential=${accessKey}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  }
  return { ...request, headers }
}

/** Returns the key of signatures: the secret is the first key as it is, with no word before it. */
export function signingKey(secretKey: string, day: string, { hmacSha256 }: SigningTools): Uint8Array {
  const keyOfRegion = hmacSha256(hmacSha256(secretKey, day), region)
  return hmacSha256(hmacSha256(keyOfRegion, service), 'request')
}

/** Returns the canonical request: all calls go to the root of the host, whatever proxies make of the path. */
export function canonicalRequest(
  { method, url, headers, body }: UnsignedRequest,
  date: string,
  { sha256Hex }: Pick<SigningTools, 'sha256Hex'>,
): string {
  const [, host, query = ''] = /^https?:\/\/([^/?#]+)[^?#]*\??([^#]*)/i.exec(url) ?? []
  if (host === undefined) throw new TypeError('the address cannot be signed')
  const hash = sha256Hex(body)
  const fields = [
    `content-type:${headers['content-type']}`,
    `host:${host.toLowerCase()}`,
    `x-content-sha256:${hash}`,
    `x-date:${date}`,
  ]
  const sorted = query.split('&').sort().join('&')
  return [method, '/', sorted, ...fields, '', signedHeaders, hash].join('\n')
}

/** Jimeng, or another gateway before it. https://www.volcengine.com/docs/85621/1544774 */
export const jimeng = defineProvider({
  credential: {
    kind: 'signed',
    sign(request, { key }, tools) {
      if (isGatewayKey(key)) return { ...request, headers: { ...request.headers, ...bearer({ key }) } }
      const [accessKey, secretKey] = keyParts(key, 'AccessKey|SecretKey')
      return signVolcengine(request, { accessKey, secretKey }, tools)
    },
  },
  tasks: { video: () => jimengVideo },
  decodeError,
})
