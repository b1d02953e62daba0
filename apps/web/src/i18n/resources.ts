/** Types only: `t('…')` accepts the keys of the English files. A new namespace is one line here. */
export interface Resources {
  readonly common: typeof import('./en/common.json')
  readonly account: typeof import('./en/account.json')
  readonly audit: typeof import('./en/audit.json')
  readonly channels: typeof import('./en/channels.json')
  readonly chat: typeof import('./en/chat.json')
  readonly dashboard: typeof import('./en/dashboard.json')
  readonly docs: typeof import('./en/docs.json')
  readonly home: typeof import('./en/home.json')
  readonly keySetup: typeof import('./en/keySetup.json')
  readonly login: typeof import('./en/login.json')
  readonly logs: typeof import('./en/logs.json')
  readonly nodes: typeof import('./en/nodes.json')
  readonly personal: typeof import('./en/personal.json')
  readonly playground: typeof import('./en/playground.json')
  readonly pricing: typeof import('./en/pricing.json')
  readonly redemptions: typeof import('./en/redemptions.json')
  readonly settings: typeof import('./en/settings.json')
  readonly setup: typeof import('./en/setup.json')
  readonly shell: typeof import('./en/shell.json')
  readonly stepUp: typeof import('./en/stepUp.json')
  readonly tasks: typeof import('./en/tasks.json')
  readonly tokens: typeof import('./en/tokens.json')
  readonly users: typeof import('./en/users.json')
  readonly wallet: typeof import('./en/wallet.json')
}

export type Namespace = keyof Resources
