import { z } from 'zod'
import { secretText } from '../secret-fields.ts'
import { emptyData, idParams, unixSeconds } from '../wire.ts'
import { del, get, post } from './define.ts'

export const accessTokenNameMaxLength = 50
/** Access tokens that one user may have. */
export const maxAccessTokens = 50

/** `full` does what its owner may do, `read` only calls that do not act, with their secrets masked. */
export const accessTokenScopes = ['full', 'read'] as const
export type AccessTokenScope = (typeof accessTokenScopes)[number]

/** An access token as its owner sees it, without its secret. */
export const accessToken = z.object({
  id: z.number().int(),
  /** Empty for the one that `POST /api/user/token` replaces. */
  name: z.string(),
  scope: z.enum(accessTokenScopes),
  created_at: unixSeconds,
  /** 0 for never. */
  expires_at: unixSeconds,
  /** Exact to some minutes; 0 when it was never used. */
  last_used_at: unixSeconds,
})
export type AccessTokenRow = z.output<typeof accessToken>

export const accessTokenBody = z.object({
  name: z.string().max(200).default(''),
  scope: z.enum(accessTokenScopes).default('full'),
  /** Unix seconds in the future; 0 for never. */
  expires_at: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
})
export type AccessTokenBody = z.output<typeof accessTokenBody>

const own = { sessionOnly: true } as const

/** Tokens for programs that use the console's calls in the name of a user. */
export const accessTokens = {
  list: get('user', '/api/user/self/access_tokens', {
    recentProof: 'reads',
    ...own,
    data: z.array(accessToken),
  }),
  /** The only time that the secret is shown. */
  create: post('user', '/api/user/self/access_tokens', {
    ...own,
    recentProof: true,
    securityAlert: 'access-token',
    body: accessTokenBody,
    data: accessToken.extend({ token: secretText() }),
  }),
  remove: del('user', '/api/user/self/access_tokens/:id', {
    recentProof: 'withdraws',
    ...own,
    params: idParams,
    data: emptyData,
  }),
}
