import { type Call, calls, type LoginData, type OAuthProvider } from '@tollgate/api'
import type { SignInParts } from '../../../accounts/users/login/identity-providers/create-sign-in-parts.ts'
import type { ProviderCallback } from '../../../accounts/users/login/identity-providers/oauth-sign-in.ts'
import type { ProviderIdentity } from '../../../accounts/users/login/identity-providers/providers.ts'
import type { SignedIn } from '../../../accounts/users/login/identity-providers/sign-in.ts'
import type { Users } from '../../../accounts/users/users.ts'
import { siteAddress } from '../../../lib/site-address.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import { type CallContext, type ConsoleRoute, route } from '../route.ts'
import {
  type BrowserContext,
  loginContextOf,
  requestOrigin,
  respondToLogin,
  setFlowCookie,
  takeFlowCookie,
} from './browser.ts'

type OAuthRoutesDependencies = SignInParts & {
  readonly settings: SettingsReader
  readonly users: Pick<Users, 'ownerOf'>
}

const { oauth } = calls

/** Sign-in through others, and what is bound to whom. */
export function oauthRoutes(deps: OAuthRoutesDependencies): readonly ConsoleRoute[] {
  const finish = (provider: OAuthProvider) => finishOf(deps, provider)
  return [
    ...startRoutes(deps),
    route(oauth.github, ({ query }, context) => finish('github')(query, context)),
    route(oauth.githubPost, ({ body }, context) => finish('github')(body, context)),
    route(oauth.oidc, ({ query }, context) => finish('oidc')(query, context)),
    route(oauth.oidcPost, ({ body }, context) => finish('oidc')(body, context)),
    route(oauth.linuxdo, ({ query }, context) => finish('linuxdo')(query, context)),
    route(oauth.linuxdoPost, ({ body }, context) => finish('linuxdo')(body, context)),
    ...directRoutes(deps),
    ...bindingRoutes(deps),
  ]
}

function startRoutes({ settings, flows, oauthSignIn }: OAuthRoutesDependencies): readonly ConsoleRoute[] {
  return [
    route(oauth.state, async ({ query: { aff = '', pkce } }, context) => {
      const flow = await flows.start({ aff, isProtected: pkce })
      setFlowCookie(flow, context)
      const { state, codeChallenge, nonce } = flow
      const extra = pkce
        ? { code_challenge: codeChallenge, code_challenge_method: 'S256' as const, nonce }
        : {}
      return { data: state, extra }
    }),
    route(oauth.start, async ({ params: { provider }, query: { aff = '' } }, context) => {
      const { flow, url } = await oauthSignIn.start(
        provider,
        aff,
        siteAddress(settings.current.ServerAddress, requestOrigin(context)),
      )
      setFlowCookie(flow, context)
      return { location: url.href, allowedOrigins: [url.origin] }
    }),
  ]
}

type Owning = Parameters<Users['ownerOf']>[0]

type SignInContext = BrowserContext & Pick<CallContext<Call>, 'countSuccess'>

/** A sign-in that opens an account counts against the limit of its address, as registration does. */
function respondToSignIn({ login, isFirst }: SignedIn, context: SignInContext): LoginData {
  if (isFirst) context.countSuccess()
  return respondToLogin(login, context)
}

function finishOf({ settings, oauthSignIn, users }: OAuthRoutesDependencies, provider: OAuthProvider) {
  return async (
    callback: ProviderCallback,
    context: SignInContext & Pick<CallContext<typeof oauth.github>, 'caller' | 'say'>,
  ): Promise<LoginData | undefined> => {
    const { caller, sessionId } = context
    const signedIn = await oauthSignIn.finish(provider, callback, {
      owner: caller && (await users.ownerOf({ caller, sessionId })),
      browserSecret: takeFlowCookie(callback.state, context),
      siteOrigin: siteAddress(settings.current.ServerAddress, requestOrigin(context)),
      login: loginContextOf(context),
    })
    if (signedIn !== 'bound') return respondToSignIn(signedIn, context)
    context.say('bind')
    return undefined
  }
}

/** Providers without a redirect; each call exists by GET and by POST. */
function directRoutes({ identities, signIn, users }: OAuthRoutesDependencies): readonly ConsoleRoute[] {
  type Identity = Promise<ProviderIdentity>
  const login = async (identity: Identity, context: SignInContext) =>
    respondToSignIn(await signIn.signIn(await identity, '', loginContextOf(context)), context)
  const bind = async (identify: () => Identity, context: Owning) => {
    const owner = await users.ownerOf(context)
    await signIn.bind(await identify(), owner)
  }
  const { weChat, telegram } = identities
  return [
    route(oauth.wechat, ({ query }, context) => login(weChat(query.code), context)),
    route(oauth.wechatPost, ({ body }, context) => login(weChat(body.code), context)),
    route(oauth.wechatBind, ({ query }, context) => bind(() => weChat(query.code), context)),
    route(oauth.wechatBindPost, ({ body }, context) => bind(() => weChat(body.code), context)),
    route(oauth.telegramLogin, ({ query }, context) => login(telegram(query), context)),
    route(oauth.telegramLoginPost, ({ body }, context) => login(telegram(body), context)),
    route(oauth.telegramBind, async ({ query }, context) => {
      await bind(() => telegram(query), context)
      return { location: '/setting' } as const
    }),
    route(oauth.telegramBindPost, ({ body }, context) => bind(() => telegram(body), context)),
  ]
}

function bindingRoutes({ bindings, users }: OAuthRoutesDependencies): readonly ConsoleRoute[] {
  const bindEmail = async (
    { email = '', code = '' }: { email?: string | undefined; code?: string | undefined },
    context: Owning,
  ) => bindings.bindEmail(await users.ownerOf(context), email, code)
  return [
    route(oauth.emailBind, ({ query }, context) => bindEmail(query, context)),
    route(oauth.emailBindPost, ({ body }, context) => bindEmail(body, context)),
    route(oauth.unbind, async ({ params }, context) =>
      bindings.unbind(await users.ownerOf(context), params.provider),
    ),
  ]
}
