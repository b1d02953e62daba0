import { type CodeKinds, decodeErrorBody } from '@tollgate/formats'
import { bearer, keyParts, type SigningTools } from '../../credential.ts'
import { defineProvider } from '../../define-provider.ts'
import { isGatewayKey } from '../../video/report.ts'
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
const codeKinds: CodeKinds = {
  '1000': 'unauthorized',
  '1001': 'unauthorized',
  '1002': 'unauthorized',
  '1003': 'unauthorized',
  '1004': 'unauthorized',
  '1100': 'forbidden',
  '1101': 'quota',
  '1102': 'quota',
  '1103': 'forbidden',
  '1200': 'bad_request',
  '1201': 'bad_request',
  '1202': 'bad_request',
  '1203': 'not_found',
  '1300': 'content_policy',
  '1301': 'content_policy',
  '1302': 'rate_limited',
  '1303': 'rate_limited',
  '1304': 'forbidden',
  '5000': 'upstream_bug',
  '5001': 'overloaded',
  '5002': 'timeout',
}

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
