import { z } from 'zod'
import { defineCall } from '../call.ts'
import { emptyData, unixSeconds } from '../wire.ts'
import { bindingProviders, oauthCallback, oauthProviders, wechatCode, widgetFields } from './oauth.ts'
import { credential, credentialOptions } from './passkey.ts'

/** Everything outside this installation that says who somebody is. */
const provingProviders = bindingProviders.filter((provider) => provider !== 'email')

const own = { access: 'user', sessionOnly: true } as const
/** Each makes the proof of this session a recent one. */
const proof = { ...own, method: 'POST', critical: true, data: emptyData } as const

/** Proves once more whose session it is: what calls with `recentProof` ask for. */
export const proofs = {
  /** By what the caller can prove it, as this site is set up now. */
  ways: defineCall({
    ...own,
    method: 'GET',
    path: '/api/user/self/proof',
    data: z.object({
      password: z.boolean(),
      /** A code of the authenticator, or a recovery code. */
      code: z.boolean(),
      passkey: z.boolean(),
      providers: z.array(z.enum(provingProviders)),
      /** Until when the last proof counts; in the past when none does. */
      proven_until: unixSeconds,
    }),
  }),
  byPassword: defineCall({
    ...proof,
    path: '/api/user/self/proof/password',
    body: z.object({ password: z.string().default('') }),
  }),
  /** Of the authenticator, or a recovery code; either is used up. */
  byCode: defineCall({
    ...proof,
    path: '/api/user/self/proof/code',
    body: z.object({ code: z.string().max(50).default('') }),
  }),
  passkeyOptions: defineCall({
    ...own,
    method: 'POST',
    path: '/api/user/self/proof/passkey/options',
    data: credentialOptions,
  }),
  byPasskey: defineCall({ ...proof, path: '/api/user/self/proof/passkey', body: z.object({ credential }) }),
  /** What the provider told the callback page, in place of the call that signs in or binds. */
  byCodeProvider: defineCall({
    ...proof,
    path: '/api/oauth/:provider/proof',
    params: z.object({ provider: z.enum(oauthProviders) }),
    body: oauthCallback,
  }),
  byWechat: defineCall({ ...proof, path: '/api/user/self/proof/wechat', body: wechatCode }),
  byTelegram: defineCall({ ...proof, path: '/api/user/self/proof/telegram', body: widgetFields }),
}
