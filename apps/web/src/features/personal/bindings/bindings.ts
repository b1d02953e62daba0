import type { BindingProvider, OAuthProvider, PublicStatus, User } from '@tollgate/api'

/** How an account outside stands to the own one. */
export interface Binding {
  readonly provider: BindingProvider
  /** Who one is there; empty when nothing is bound. */
  readonly identity: string
  /** Whether the operator offers it. */
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

/** Whether the browser is sent there, and comes back with a code. */
export function sendsBack(provider: BindingProvider): provider is OAuthProvider {
  return provider === 'github' || provider === 'oidc' || provider === 'linuxdo'
}
