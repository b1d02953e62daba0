import { z } from 'zod'
import { accessTokenResource } from '../resources/access-token.ts'
import { secretText } from '../secret-fields.ts'
import { emptyData, idParams } from '../wire.ts'
import { del, get, post } from './define.ts'

/** Access tokens that one user may have. */
export const maxAccessTokens = 50

/** An access token as its owner sees it, without its secret. */
export const accessToken = accessTokenResource.wire
export type AccessTokenRow = z.output<typeof accessToken>

export const accessTokenBody = accessTokenResource.createBody
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
