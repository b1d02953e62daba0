import type { CodeKinds } from '@tollgate/formats'
import type { SigningTools } from '../credential.ts'
import { meaningsOf } from '../words.ts'

/** Codes of both versions of Zhipu's API. https://docs.bigmodel.cn/cn/api/api-code */
export const zhipuCodes: CodeKinds = meaningsOf({
  unauthorized: '1000 1001 1002 1003 1004',
  forbidden: '1220 1311',
  suspended: '1110 1111 1112 1121',
  quota: '1113 1309',
  account_limited: '1308 1310 1313',
  bad_request: '1210 1212 1213 1214 1215 1231',
  context_overflow: '1261',
  model_not_found: '1211',
  not_found: '1221 1222',
  content_policy: '1301',
  rate_limited: '1302 1303 1304',
  overloaded: '1305 1312',
  upstream_bug: '1120 1200 1230 1234',
})

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
