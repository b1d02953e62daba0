import { z } from 'zod'
import { defineCall } from '../call.ts'
import { emptyData, queryFlag, queryText } from '../wire.ts'
import { loginData } from './user.ts'

/** Providers that send the browser back with a code and a state. */
export const oauthProviders = ['github', 'oidc', 'linuxdo'] as const
export type OAuthProvider = (typeof oauthProviders)[number]

/** Everything outside this installation that an account can be bound to. */
export const bindingProviders = [...oauthProviders, 'wechat', 'telegram', 'email'] as const
export type BindingProvider = (typeof bindingProviders)[number]

/** What a provider says to the callback page; the page hands it on as it is. */
export const oauthCallback = z.object({
  code: queryText,
  state: queryText,
  /** A provider that refuses sends these instead of a code. */
  error: queryText,
  error_description: queryText,
  /** Who answers (RFC 9207). */
  iss: queryText,
})
/** The number that the account of the operator shows to whoever wrote to it. */
export const wechatCode = z.object({ code: queryText })
const mailedCode = z.object({ email: queryText, code: queryText })
/** Fields of Telegram's widget, whichever it sends: the hash is over all of them. */
export const widgetFields = z.record(z.string().max(50), z.union([z.string().max(500), z.number()]))
const startQuery = z.object({ aff: queryText })

/** After sign-in the user; after a bind nothing, and the envelope's message is `bind`. */
const signedInOrBound = z.union([loginData, emptyData])

const get = <const Path extends `/${string}`>(path: Path) => ({ method: 'GET', path, changes: true }) as const
const post = <const Path extends `/${string}`>(path: Path) => ({ method: 'POST', path }) as const
/** Anybody may try; who fails too often waits. */
const attempt = { access: 'public', critical: true } as const
/** For whoever is logged in in this browser. */
const binding = {
  access: 'user',
  sessionOnly: true,
  cookieOnly: true,
  critical: true,
  recentProof: true,
  securityAlert: 'identity-bound',
} as const
/** A sign-in, or, for a person who is logged in in this browser, a binding. */
const signInOrBind = { ...attempt, recentProof: true, securityAlert: 'identity-bound' } as const

/** Sign-in through others. Calls that a browser may make as GET, as older consoles do, are there as POST too. */
export const oauth = {
  /** `data` is the state, good once, for ten minutes, in this browser. With `pkce` the flow has to use what `extra` says. */
  state: defineCall({
    ...get('/api/oauth/state'),
    access: 'public',
    query: z.object({ aff: queryText, pkce: queryFlag }),
    data: z.string(),
    extra: z.object({
      /** For the provider's authorization page; absent unless asked for. */
      code_challenge: z.string().optional(),
      code_challenge_method: z.literal('S256').optional(),
      nonce: z.string().optional(),
    }),
  }),
  /** Sends the browser to the provider with everything set, PKCE and nonce too. */
  start: defineCall({
    ...get('/api/oauth/:provider/start'),
    access: 'public',
    params: z.object({ provider: z.enum(oauthProviders) }),
    query: startQuery,
    response: 'redirect',
    errorPage: '/login',
  }),
  github: defineCall({
    ...get('/api/oauth/github'),
    ...signInOrBind,
    query: oauthCallback,
    data: signedInOrBound,
  }),
  githubPost: defineCall({
    ...post('/api/oauth/github'),
    ...signInOrBind,
    body: oauthCallback,
    data: signedInOrBound,
  }),
  oidc: defineCall({
    ...get('/api/oauth/oidc'),
    ...signInOrBind,
    query: oauthCallback,
    data: signedInOrBound,
  }),
  oidcPost: defineCall({
    ...post('/api/oauth/oidc'),
    ...signInOrBind,
    body: oauthCallback,
    data: signedInOrBound,
  }),
  linuxdo: defineCall({
    ...get('/api/oauth/linuxdo'),
    ...signInOrBind,
    query: oauthCallback,
    data: signedInOrBound,
  }),
  linuxdoPost: defineCall({
    ...post('/api/oauth/linuxdo'),
    ...signInOrBind,
    body: oauthCallback,
    data: signedInOrBound,
  }),
  wechat: defineCall({ ...get('/api/oauth/wechat'), ...attempt, query: wechatCode, data: loginData }),
  wechatPost: defineCall({ ...post('/api/oauth/wechat'), ...attempt, body: wechatCode, data: loginData }),
  wechatBind: defineCall({
    ...get('/api/oauth/wechat/bind'),
    ...binding,
    query: wechatCode,
    data: emptyData,
  }),
  wechatBindPost: defineCall({
    ...post('/api/oauth/wechat/bind'),
    ...binding,
    body: wechatCode,
    data: emptyData,
  }),
  emailBind: defineCall({
    ...get('/api/oauth/email/bind'),
    ...binding,
    securityAlert: 'email',
    query: mailedCode,
    data: emptyData,
  }),
  emailBindPost: defineCall({
    ...post('/api/oauth/email/bind'),
    ...binding,
    securityAlert: 'email',
    body: mailedCode,
    data: emptyData,
  }),
  telegramLogin: defineCall({
    ...get('/api/oauth/telegram/login'),
    ...attempt,
    query: widgetFields,
    data: loginData,
  }),
  telegramLoginPost: defineCall({
    ...post('/api/oauth/telegram/login'),
    ...attempt,
    body: widgetFields,
    data: loginData,
  }),
  /** Answers by sending the browser to /setting, because the widget does not read answers; a refusal is a plain text. */
  telegramBind: defineCall({
    ...get('/api/oauth/telegram/bind'),
    ...binding,
    query: widgetFields,
    response: 'redirect',
  }),
  telegramBindPost: defineCall({
    ...post('/api/oauth/telegram/bind'),
    ...binding,
    body: widgetFields,
    data: emptyData,
  }),
  /** Takes a binding back; never the last way to sign in. */
  unbind: defineCall({
    method: 'DELETE',
    path: '/api/user/self/binding/:provider',
    access: 'user',
    sessionOnly: true,
    recentProof: true,
    securityAlert: 'binding-removed',
    params: z.object({ provider: z.enum(bindingProviders) }),
    data: emptyData,
  }),
}
