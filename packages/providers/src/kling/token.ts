import type { SigningTools } from '../credential.ts'

export interface KlingKey {
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
