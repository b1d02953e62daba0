import type { CodeKinds } from '@tollgate/formats'
import type { SigningTools } from '../credential.ts'

/** Codes of both versions of Zhipu's API. https://docs.bigmodel.cn/cn/faq/api-code */
export const zhipuCodes: CodeKinds = {
  '1000': 'unauthorized',
  '1001': 'unauthorized',
  '1002': 'unauthorized',
  '1003': 'unauthorized',
  '1004': 'unauthorized',
  '1110': 'forbidden',
  '1111': 'forbidden',
  '1112': 'forbidden',
  '1121': 'forbidden',
  '1113': 'quota',
  '1210': 'bad_request',
  '1211': 'not_found',
  '1212': 'bad_request',
  '1213': 'bad_request',
  '1214': 'bad_request',
  '1215': 'bad_request',
  '1231': 'bad_request',
  '1261': 'bad_request',
  '1220': 'forbidden',
  '1221': 'not_found',
  '1222': 'not_found',
  '1301': 'content_policy',
  '1302': 'rate_limited',
  '1303': 'rate_limited',
  '1304': 'rate_limited',
  '1305': 'overloaded',
  '1308': 'rate_limited',
  '1310': 'rate_limited',
  '1312': 'overloaded',
  '1120': 'upstream_bug',
  '1200': 'upstream_bug',
  '1230': 'upstream_bug',
  '1234': 'upstream_bug',
}

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
