import type { OAuthProvider } from '@tollgate/api'
import { OutboundError } from '../../../../lib/outbound/outbound-fetch.ts'
import { Refusal } from '../../../../lib/refusal.ts'
import type { SettingsReader } from '../../../../settings/settings.ts'
import type { AccountOwner } from '../credentials.ts'
import type { LoginContext } from '../login-flow.ts'
import type { Flows, StartedFlow } from './flows.ts'
import {
  type OAuthClients,
  type ProviderIdentity,
  ProviderResponseError,
  providers,
  refuseDisabled,
} from './providers.ts'
import type { SignedIn, SignIn } from './sign-in.ts'

/** The parameters with which a provider calls the callback page. */
export interface ProviderCallback {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly error?: string | undefined
  readonly error_description?: string | undefined
  readonly iss?: string | undefined
}

/** The browser that came back with it. */
export interface CallbackContext {
  /** The user of this browser's session, to whom the identity is then bound. */
  readonly owner: AccountOwner | undefined
  readonly browserSecret: string | undefined
  /** Scheme and host by which people reach this site. */
  readonly siteOrigin: string
  readonly login: LoginContext
}

interface Dependencies {
  readonly settings: SettingsReader
  readonly flows: Flows
  readonly clients: OAuthClients
  readonly signIn: SignIn
}

const detailMaxLength = 200

/** Sign-in through providers that send the browser back with a code and a state. */
export function createOAuthSignIn({ settings, flows, clients, signIn }: Dependencies) {
  const redirectUri = (provider: OAuthProvider, siteOrigin: string) => `${siteOrigin}/oauth/${provider}`

  /** Ends the flow with the identity that the provider confirms. */
  async function identityOfCallback(
    provider: OAuthProvider,
    callback: ProviderCallback,
    { browserSecret, siteOrigin }: Pick<CallbackContext, 'browserSecret' | 'siteOrigin'>,
  ): Promise<{ readonly identity: ProviderIdentity; readonly aff: string }> {
    const { aff, codeVerifier, nonce } = await flows.take(provider, callback.state, browserSecret)
    refuseDisabled(provider, settings)
    refuseWithoutCode(provider, callback)
    const identity = await withProviderErrors(provider, () =>
      clients[provider].identify({
        code: callback.code ?? '',
        redirectUri: redirectUri(provider, siteOrigin),
        codeVerifier,
        nonce,
        issuer: callback.iss,
      }),
    )
    return { identity, aff }
  }

  return {
    /** Returns the address to send the browser to, and the secret that the browser has to store. */
    async start(
      provider: OAuthProvider,
      aff: string,
      siteOrigin: string,
    ): Promise<{ readonly flow: StartedFlow; readonly url: URL }> {
      refuseDisabled(provider, settings)
      const flow = await flows.start({ provider, aff, isProtected: true })
      const url = await withProviderErrors(provider, () =>
        clients[provider].authorizationUrl({ ...flow, redirectUri: redirectUri(provider, siteOrigin) }),
      )
      return { flow, url }
    },
    /** `bound` when it was a bind. */
    async finish(
      provider: OAuthProvider,
      callback: ProviderCallback,
      context: CallbackContext,
    ): Promise<SignedIn | 'bound'> {
      const { owner, login } = context
      const { identity, aff } = await identityOfCallback(provider, callback, context)
      if (owner === undefined) return signIn.signIn(identity, aff, login)
      await signIn.bind(identity, owner)
      return 'bound'
    },
    /** Proves the identity of the session's user by the provider; refuses when the provider names another person. */
    async prove(
      provider: OAuthProvider,
      callback: ProviderCallback,
      context: Omit<CallbackContext, 'owner' | 'login'> & { readonly userId: number },
    ): Promise<void> {
      const { identity } = await identityOfCallback(provider, callback, context)
      await signIn.prove(identity, context.userId)
    },
  }
}

function refuseWithoutCode(
  provider: OAuthProvider,
  { code, error, error_description }: ProviderCallback,
): void {
  if (code !== undefined && error === undefined) return
  const detail = (error_description ?? error ?? 'no code').slice(0, detailMaxLength)
  throw new Refusal('provider_refused', { provider: providers[provider].title, detail })
}

/** Turns every failure of a request to a provider into a refusal that names it. The cause is for the log. */
export async function withProviderErrors<Result>(
  provider: ProviderIdentity['provider'],
  ask: () => Promise<Result>,
): Promise<Result> {
  const { title } = providers[provider]
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    if (cause instanceof OutboundError)
      throw new Refusal('provider_unreachable', { provider: title }, { cause })
    throw new Refusal('provider_refused', { provider: title, detail: reasonOf(cause) }, { cause })
  }
}

/** OAuth's own error code, or a text of ours; never words that could hold what was sent. */
function reasonOf(cause: unknown): string {
  if (cause instanceof ProviderResponseError) return cause.message
  const { error, code } = cause as { readonly error?: unknown; readonly code?: unknown }
  const name = typeof error === 'string' ? error : code
  return typeof name === 'string' ? name.slice(0, detailMaxLength) : 'the response is not as documented'
}
