import type { SignedCredential } from '../credential.ts'
import { keyParts } from '../key-parts.ts'

const addressParts = /^(?:ws|http)s?:\/\/([^/?#]+)([^?#]*)/i

/**
 * A signature of the handshake, in the address. The secret looks like Base64 and is taken as the text that it is.
 * https://www.xfyun.cn/doc/spark/general_url_authentication.html
 */
export const credential: SignedCredential = {
  kind: 'signed',
  sign(request, { key }, tools) {
    const [, apiSecret, apiKey] = keyParts(key, 'APPID|APISecret|APIKey')
    const [, host, path] = addressParts.exec(request.url) ?? []
    if (host === undefined) throw new TypeError('the address cannot be signed')
    const date = new Date(tools.nowMs).toUTCString()
    const text = `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`
    const signature = tools.base64(tools.hmacSha256(apiSecret, text))
    const authorization = tools.base64(
      `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
    )
    const query = Object.entries({ authorization, date, host })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')
    return { ...request, url: `${request.url}?${query}` }
  },
}
