import { type BindingProvider, calls, type OAuthProvider, type PublicStatus, type User } from '@tollgate/api'
import { addressOf, requestWithExtra } from '../../lib/api/api-client.ts'

/** Values that the server demands again when the browser comes back. */
interface Flow {
  readonly state: string
  readonly code_challenge?: string | undefined
  readonly code_challenge_method?: string | undefined
  readonly nonce?: string | undefined
}

type SignInStatus = Pick<
  PublicStatus,
  | 'server_address'
  | 'github_client_id'
  | 'linuxdo_client_id'
  | 'oidc_client_id'
  | 'oidc_authorization_endpoint'
>

/** Returns the address to which the browser goes to have an account of the provider bound. */
export async function bindingAddress(provider: OAuthProvider, status: SignInStatus): Promise<string> {
  // An OIDC provider that the server alone looks up: the server sends the browser there.
  if (provider === 'oidc' && status.oidc_authorization_endpoint === '')
    return addressOf(calls.oauth.start, { params: { provider } })
  const { data: state, extra } = await requestWithExtra(calls.oauth.state, { query: { pkce: true } })
  return authorizationAddress(provider, status, { ...extra, state }, window.location.origin)
}

/**
 * The provider's authorization page, asked as the server would ask it.
 * @param origin of this page, for installations that have no address of their own set
 */
export function authorizationAddress(
  provider: OAuthProvider,
  status: SignInStatus,
  { nonce, ...flow }: Flow,
  origin: string,
): string {
  const site = status.server_address.replace(/\/+$/, '') || origin
  const code = { response_type: 'code', redirect_uri: `${site}/oauth/${provider}` }
  switch (provider) {
    case 'github':
      return withQuery('https://github.com/login/oauth/authorize', {
        client_id: status.github_client_id,
        scope: 'user:email',
        ...flow,
      })
    case 'linuxdo':
      return withQuery('https://connect.linux.do/oauth2/authorize', {
        client_id: status.linuxdo_client_id,
        ...code,
        ...flow,
      })
    case 'oidc':
      return withQuery(status.oidc_authorization_endpoint, {
        client_id: status.oidc_client_id,
        scope: 'openid profile email',
        nonce,
        ...code,
        ...flow,
      })
  }
}

/** Adds to what the address asks already. */
function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value)
  return url.href
}

/** Relation of an account outside to the own one. */
export interface Binding {
  readonly provider: BindingProvider
  /** Name of the account there; empty when nothing is bound. */
  readonly identity: string
  /** Set for a provider that the operator offers. */
  readonly offered: boolean
}

export function bindingsOf(user: User, status: PublicStatus | undefined): readonly Binding[] {
  return [
    { provider: 'email', identity: user.email, offered: true },
    { provider: 'github', identity: user.github_id, offered: status?.github_oauth === true },
    { provider: 'oidc', identity: user.oidc_id, offered: status?.oidc_enabled === true },
    { provider: 'linuxdo', identity: user.linux_do_id, offered: status?.linuxdo_oauth === true },
    { provider: 'wechat', identity: user.wechat_id, offered: status?.wechat_login === true },
    {
      provider: 'telegram',
      identity: user.telegram_id,
      offered: status?.telegram_oauth === true && status.telegram_bot_name !== '',
    },
  ]
}

/** Recognises a provider to which the browser is sent, and which sends it back with a code. */
export function sendsBack(provider: BindingProvider): provider is OAuthProvider {
  return provider === 'github' || provider === 'oidc' || provider === 'linuxdo'
}
