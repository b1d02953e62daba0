import type { OAuthProvider } from '@tollgate/api'
import { OutboundError } from '../lib/outbound/outbound-fetch.ts'
import { Refusal } from '../lib/refusal.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { LoginContext } from '../users/auth/login-flow.ts'
import type { Flows, StartedFlow } from './flows.ts'
import {
  type OAuthClients,
  type ProviderIdentity,
  ProviderResponseError,
  providers,
  refuseDisabled,
} from './providers.ts'
import type { SignedIn, SignIn } from './sign-in.ts'

/** What the callback page was told. */
export interface ProviderCallback {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly error?: string | undefined
  readonly error_description?: string | undefined
  readonly iss?: string | undefined
}

/** Who came back with it, and to where. */
export interface CallbackContext {
  /** The user of this browser's session: then the identity is bound to them. */
  readonly userId: number | undefined
  readonly browserSecret: string | undefined
  /** Scheme and host that people reach this site by. */
  readonly siteOrigin: string
  readonly place: LoginContext
}

/** Sign-in through providers that send the browser back with a code and a state. */
export interface OAuthSignIn {
  /** Where to send the browser, and what it has to keep. */
  start(
    provider: OAuthProvider,
    aff: string,
    siteOrigin: string,
  ): Promise<{ readonly flow: StartedFlow; readonly url: URL }>
  /** `bound` when it was a bind. */
  finish(
    provider: OAuthProvider,
    callback: ProviderCallback,
    visit: CallbackContext,
  ): Promise<SignedIn | 'bound'>
  /** The provider says once more who the user of the session is; refuses when it is somebody else. */
  prove(
    provider: OAuthProvider,
    callback: ProviderCallback,
    visit: Omit<CallbackContext, 'userId' | 'place'> & { readonly userId: number },
  ): Promise<void>
}

interface Dependencies {
  readonly settings: SettingsReader
  readonly flows: Flows
  readonly clients: OAuthClients
  readonly signIn: SignIn
}

const detailMaxLength = 200

export function createOAuthSignIn({ settings, flows, clients, signIn }: Dependencies): OAuthSignIn {
  const redirectUri = (provider: OAuthProvider, siteOrigin: string) => `${siteOrigin}/oauth/${provider}`

  /** Ends the flow: who the provider says it is. */
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
    async start(provider, aff, siteOrigin) {
      refuseDisabled(provider, settings)
      const flow = await flows.start({ provider, aff, isProtected: true })
      const url = await withProviderErrors(provider, () =>
        clients[provider].authorizationUrl({ ...flow, redirectUri: redirectUri(provider, siteOrigin) }),
      )
      return { flow, url }
    },
    async finish(provider, callback, visit) {
      const { userId, place } = visit
      const { identity, aff } = await identityOfCallback(provider, callback, visit)
      if (userId === undefined) return signIn.signIn(identity, aff, place)
      await signIn.bind(identity, userId)
      return 'bound'
    },
    async prove(provider, callback, visit) {
      const { identity } = await identityOfCallback(provider, callback, visit)
      await signIn.prove(identity, visit.userId)
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

/** Whatever goes wrong while a provider is asked is a refusal that names it; what it said in full is for the log. */
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

/** OAuth's own code of an error, or what we say ourselves; never words that could hold what was sent. */
function reasonOf(cause: unknown): string {
  if (cause instanceof ProviderResponseError) return cause.message
  const { error, code } = cause as { readonly error?: unknown; readonly code?: unknown }
  const name = typeof error === 'string' ? error : code
  return typeof name === 'string' ? name.slice(0, detailMaxLength) : 'the answer is not as documented'
}
