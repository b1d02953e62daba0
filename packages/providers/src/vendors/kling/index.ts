import { type CodeKinds, decodeErrorBody } from '@tollgate/formats'
import { bearer, keyParts, type SigningTools } from '../../credential.ts'
import { defineProvider } from '../../define-provider.ts'
import { isGatewayKey } from '../../video/report.ts'
import { meaningsOf } from '../../words.ts'
import { klingVideo } from './video.ts'

interface KlingKey {
  readonly accessKey: string
  readonly secretKey: string
}

const lifeSeconds = 1800
/** Clocks differ. */
const earlySeconds = 5

/** A JSON Web Token made of a key. https://app.klingai.com/global/dev/document-api/apiReference/commonInfo */
export function klingToken({ accessKey, secretKey }: KlingKey, tools: SigningTools): string {
  const { nowMs, base64url, hmacSha256 } = tools
  const now = Math.floor(nowMs / 1000)
  const header = base64url(JSON.stringify({ alg: 'HS256', typ: 'JWT' }))
  const claims = base64url(
    JSON.stringify({ iss: accessKey, exp: now + lifeSeconds, nbf: now - earlySeconds }),
  )
  return `${header}.${claims}.${base64url(hmacSha256(secretKey, `${header}.${claims}`))}`
}

/** https://app.klingai.com/global/dev/document-api/apiReference/commonInfo */
const codeKinds: CodeKinds = meaningsOf({
  unauthorized: '1000 1001 1002 1003 1004',
  forbidden: '1100 1103 1304',
  quota: '1101 1102',
  bad_request: '1200 1201 1202',
  model_not_found: '1203',
  content_policy: '1300 1301',
  rate_limited: '1302 1303',
  upstream_bug: '5000',
  overloaded: '5001',
  timeout: '5002',
})

/** Kling, or another gateway before it. https://app.klingai.com/global/dev/document-api */
export const kling = defineProvider({
  credential: {
    kind: 'signed',
    sign(request, { key }, tools) {
      const [accessKey, secretKey] = isGatewayKey(key) ? [] : keyParts(key, 'AccessKey|SecretKey')
      const token = accessKey && secretKey ? klingToken({ accessKey, secretKey }, tools) : key
      return { ...request, headers: { ...request.headers, ...bearer({ key: token }) } }
    },
  },
  tasks: { video: () => klingVideo },
  decodeError: (failure) => decodeErrorBody(failure, codeKinds),
})
