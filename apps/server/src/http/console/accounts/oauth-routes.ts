import { type Call, calls, type LoginData, type OAuthProvider } from '@tollgate/api'
import { siteAddress } from '../../../lib/site-address.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { Bindings } from '../../../sign-in/bindings.ts'
import type { Flows } from '../../../sign-in/flows.ts'
import type { OAuthSignIn, ProviderCallback } from '../../../sign-in/oauth-sign-in.ts'
import type { OtherSignIn } from '../../../sign-in/other-sign-in.ts'
import type { SignedIn } from '../../../sign-in/sign-in.ts'
import { requestOrigin } from '../request-origin.ts'
import { type CallContext, type Caller, type ConsoleRoute, done, route } from '../route.ts'
import { setFlowCookie, takeFlowCookie } from './flow-cookie.ts'
import { type BrowserContext, loginContextOf, respondToLogin } from './login-response.ts'

export interface OauthRoutesDependencies {
  readonly settings: SettingsReader
  readonly flows: Flows
  readonly oauthSignIn: OAuthSignIn
  readonly otherSignIn: OtherSignIn
  readonly bindings: Bindings
}

const { oauth } = calls

/** Sign-in through others, and what is bound to whom. */
export function oauthRoutes(deps: OauthRoutesDependencies): readonly ConsoleRoute[] {
  const finish = (provider: OAuthProvider) => finishOf(deps, provider)
  return [
    ...startRoutes(deps),
    route(oauth.github, ({ query }, context) => finish('github')(query, context)),
    route(oauth.githubPost, ({ body }, context) => finish('github')(body, context)),
    route(oauth.oidc, ({ query }, context) => finish('oidc')(query, context)),
    route(oauth.oidcPost, ({ body }, context) => finish('oidc')(body, context)),
    route(oauth.linuxdo, ({ query }, context) => finish('linuxdo')(query, context)),
    route(oauth.linuxdoPost, ({ body }, context) => finish('linuxdo')(body, context)),
    ...otherRoutes(deps),
    ...bindingRoutes(deps),
  ]
}

function startRoutes({ settings, flows, oauthSignIn }: OauthRoutesDependencies): readonly ConsoleRoute[] {
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

type SignInContext = BrowserContext & Pick<CallContext<Call>, 'countSuccess'>

/** Accounts are not opened without end: a first sign-in counts against the limit of its address, as registration does. */
function respondToSignIn({ login, isFirst }: SignedIn, context: SignInContext): LoginData {
  if (isFirst) context.countSuccess()
  return respondToLogin(login, context)
}

function finishOf({ settings, oauthSignIn }: OauthRoutesDependencies, provider: OAuthProvider) {
  return async (
    callback: ProviderCallback,
    context: SignInContext & { readonly caller: Caller | undefined },
  ): Promise<{ data: LoginData | undefined; message?: string }> => {
    const signedIn = await oauthSignIn.finish(provider, callback, {
      userId: context.caller?.userId,
      browserSecret: takeFlowCookie(callback.state, context),
      siteOrigin: siteAddress(settings.current.ServerAddress, requestOrigin(context)),
      place: loginContextOf(context),
    })
    if (signedIn === 'bound') return { data: undefined, message: 'bind' }
    return { data: respondToSignIn(signedIn, context) }
  }
}

function otherRoutes({ otherSignIn }: OauthRoutesDependencies): readonly ConsoleRoute[] {
  const { byWeChat, byTelegram, bindWeChat, bindTelegram } = otherSignIn
  return [
    route(oauth.wechat, async ({ query }, context) => ({
      data: respondToSignIn(await byWeChat(query.code ?? '', loginContextOf(context)), context),
    })),
    route(oauth.wechatPost, async ({ body }, context) => ({
      data: respondToSignIn(await byWeChat(body.code ?? '', loginContextOf(context)), context),
    })),
    route(oauth.wechatBind, ({ query }, { caller }) => done(bindWeChat(query.code ?? '', caller.userId))),
    route(oauth.wechatBindPost, ({ body }, { caller }) => done(bindWeChat(body.code ?? '', caller.userId))),
    route(oauth.telegramLogin, async ({ query }, context) => ({
      data: respondToSignIn(await byTelegram(query, loginContextOf(context)), context),
    })),
    route(oauth.telegramLoginPost, async ({ body }, context) => ({
      data: respondToSignIn(await byTelegram(body, loginContextOf(context)), context),
    })),
    route(oauth.telegramBind, async ({ query }, { caller }) => {
      await bindTelegram(query, caller.userId)
      return { location: '/setting' }
    }),
    route(oauth.telegramBindPost, ({ body }, { caller }) => done(bindTelegram(body, caller.userId))),
  ]
}

function bindingRoutes({ bindings }: OauthRoutesDependencies): readonly ConsoleRoute[] {
  return [
    route(oauth.emailBind, ({ query: { email = '', code = '' } }, { caller }) =>
      done(bindings.bindEmail(caller.userId, email, code)),
    ),
    route(oauth.emailBindPost, ({ body: { email = '', code = '' } }, { caller }) =>
      done(bindings.bindEmail(caller.userId, email, code)),
    ),
    route(oauth.unbind, ({ params }, { caller }) => done(bindings.unbind(caller.userId, params.provider))),
  ]
}
