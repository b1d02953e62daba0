import { objectOf } from '@tollgate/formats'
import type { ExchangedCredential } from '../credential.ts'
import { endpointUrl } from '../endpoint-url.ts'
import { keyParts } from '../key-parts.ts'

export const defaultBaseUrl = 'https://aip.baidubce.com'

/** Tokens live for thirty days. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Ilkkrb0i5 */
export const credential: ExchangedCredential = {
  kind: 'exchanged',
  renewBeforeSeconds: 3600,
  exchange({ key, baseUrl }) {
    const [id, secret] = keyParts(key, 'APIKey|SecretKey')
    const query = `grant_type=client_credentials&client_id=${encodeURIComponent(id)}&client_secret=${encodeURIComponent(secret)}`
    return {
      url: endpointUrl(baseUrl || defaultBaseUrl, '/oauth/2.0', `/token?${query}`),
      headers: { accept: 'application/json' },
      body: '',
    }
  },
  decodeToken(body) {
    const { access_token: token, expires_in: seconds } = objectOf(body)
    if (typeof token !== 'string' || token === '') return undefined
    return { token, expiresInSeconds: typeof seconds === 'number' ? seconds : 0 }
  },
  authorize: (request, token) => ({
    ...request,
    url: `${request.url}?access_token=${encodeURIComponent(token)}`,
  }),
}
