import type { SigningTools } from './credential.ts'

const lifeMs = 24 * 3600_000

/**
 * A JSON Web Token made of a key, whose times are in milliseconds. Making one costs less than keeping it would.
 * https://open.bigmodel.cn/dev/api/http-call/http-auth
 * @throws TypeError for a key that is not `id.secret`
 */
export function zhipuToken(key: string, { nowMs, base64url, hmacSha256 }: SigningTools): string {
  const parts = key.trim().split('.')
  const [id = '', secret = ''] = parts
  if (parts.length !== 2 || id === '' || secret === '') throw new TypeError('the key must be id.secret')
  const header = base64url(JSON.stringify({ alg: 'HS256', sign_type: 'SIGN' }))
  const payload = base64url(JSON.stringify({ api_key: id, exp: nowMs + lifeMs, timestamp: nowMs }))
  return `${header}.${payload}.${base64url(hmacSha256(secret, `${header}.${payload}`))}`
}
