import { z } from 'zod'
import { emptyData, queryFlag, queryText } from '../wire.ts'
import { del, get, post } from './define.ts'
import { loginData } from './user.ts'

/** Providers that send the browser back with a code and a state. */
export const oauthProviders = ['github', 'oidc', 'linuxdo'] as const
export type OAuthProvider = (typeof oauthProviders)[number]

/** Every outside identity that an account can be bound to. */
export const bindingProviders = [...oauthProviders, 'wechat', 'telegram', 'email'] as const
export type BindingProvider = (typeof bindingProviders)[number]

/** A provider's parameters of the callback page; the page forwards them unchanged. */
export const oauthCallback = z.object({
  code: queryText,
  state: queryText,
  /** A provider that refuses sends these instead of a code. */
  error: queryText,
  error_description: queryText,
  /** The issuer of the response (RFC 9207). */
  iss: queryText,
})
/** The number that the operator's account sends to a person who wrote to it. */
export const wechatCode = z.object({ code: queryText })
const mailedCode = z.object({ email: queryText, code: queryText })
/** Fields of Telegram's widget, whichever it sends: the hash is over all of them. */
export const widgetFields = z.record(z.string().max(50), z.union([z.string().max(500), z.number()]))

/** Open to all; an address that fails too often waits. */
const signIn = { critical: true, data: loginData } as const
/** A sign-in, or a binding in a browser that is logged in. A bind has no data, and the envelope's message is `bind`. */
const signInOrBind = {
  critical: true,
  recentProof: true,
  securityAlert: 'identity-bound',
  data: z.union([loginData, emptyData]),
} as const
/** A binding, for the user who is logged in in this browser. */
const bind = {
  sessionOnly: true,
  cookieOnly: true,
  critical: true,
  recentProof: true,
  securityAlert: 'identity-bound',
} as const
const bound = { ...bind, data: emptyData } as const

/** Query of a call that a browser may make as GET, as older consoles do. */
const asQuery = <const Q extends z.ZodType>(query: Q) => ({ query }) as const

/** Sign-in through other services. Each call that older consoles make as GET exists as POST too. */
export const oauth = {
  /**
   * `data` is the state, valid once, for ten minutes, in this browser. With `pkce` the flow must use the fields of
   * `extra`.
   */
  state: get('public', '/api/oauth/state', {
    recentProof: 'proves',
    ...asQuery(z.object({ aff: queryText, pkce: queryFlag })),
    data: z.string(),
    extra: z.object({
      /** Challenge for the provider's authorization page; absent unless the request sets it. */
      code_challenge: z.string().optional(),
      code_challenge_method: z.literal('S256').optional(),
      nonce: z.string().optional(),
    }),
  }),
  /** Sends the browser to the provider with everything set, PKCE and nonce too. */
  start: get('public', '/api/oauth/:provider/start', {
    recentProof: 'proves',
    ...asQuery(z.object({ aff: queryText })),
    params: z.object({ provider: z.enum(oauthProviders) }),
    response: 'redirect',
    errorPage: '/login',
  }),
  github: get('public', '/api/oauth/github', { ...signInOrBind, ...asQuery(oauthCallback) }),
  githubPost: post('public', '/api/oauth/github', { ...signInOrBind, body: oauthCallback }),
  oidc: get('public', '/api/oauth/oidc', { ...signInOrBind, ...asQuery(oauthCallback) }),
  oidcPost: post('public', '/api/oauth/oidc', { ...signInOrBind, body: oauthCallback }),
  linuxdo: get('public', '/api/oauth/linuxdo', { ...signInOrBind, ...asQuery(oauthCallback) }),
  linuxdoPost: post('public', '/api/oauth/linuxdo', { ...signInOrBind, body: oauthCallback }),
  wechat: get('public', '/api/oauth/wechat', { recentProof: 'proves', ...signIn, ...asQuery(wechatCode) }),
  wechatPost: post('public', '/api/oauth/wechat', { recentProof: 'proves', ...signIn, body: wechatCode }),
  wechatBind: get('user', '/api/oauth/wechat/bind', { ...bound, ...asQuery(wechatCode) }),
  wechatBindPost: post('user', '/api/oauth/wechat/bind', { ...bound, body: wechatCode }),
  emailBind: get('user', '/api/oauth/email/bind', {
    ...bound,
    ...asQuery(mailedCode),
    securityAlert: 'email',
  }),
  emailBindPost: post('user', '/api/oauth/email/bind', {
    ...bound,
    body: mailedCode,
    securityAlert: 'email',
  }),
  telegramLogin: get('public', '/api/oauth/telegram/login', {
    recentProof: 'proves',
    ...signIn,
    ...asQuery(widgetFields),
  }),
  telegramLoginPost: post('public', '/api/oauth/telegram/login', {
    recentProof: 'proves',
    ...signIn,
    body: widgetFields,
  }),
  /** Sends the browser to /setting, because the widget does not read responses; a refusal is a plain text. */
  telegramBind: get('user', '/api/oauth/telegram/bind', {
    ...bind,
    ...asQuery(widgetFields),
    response: 'redirect',
  }),
  telegramBindPost: post('user', '/api/oauth/telegram/bind', { ...bound, body: widgetFields }),
  /** Removes a binding; never the last way to sign in. */
  unbind: del('user', '/api/user/self/binding/:provider', {
    sessionOnly: true,
    recentProof: true,
    securityAlert: 'binding-removed',
    params: z.object({ provider: z.enum(bindingProviders) }),
    data: emptyData,
  }),
}
