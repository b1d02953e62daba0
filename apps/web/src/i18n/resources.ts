import type account from './en/account.json'
import type audit from './en/audit.json'
import type channels from './en/channels.json'
import type chat from './en/chat.json'
import type common from './en/common.json'
import type dashboard from './en/dashboard.json'
import type docs from './en/docs.json'
import type home from './en/home.json'
import type keySetup from './en/keySetup.json'
import type login from './en/login.json'
import type logs from './en/logs.json'
import type personal from './en/personal.json'
import type playground from './en/playground.json'
import type pricing from './en/pricing.json'
import type redemptions from './en/redemptions.json'
import type settings from './en/settings.json'
import type setup from './en/setup.json'
import type shell from './en/shell.json'
import type stepUp from './en/stepUp.json'
import type tasks from './en/tasks.json'
import type tokens from './en/tokens.json'
import type users from './en/users.json'
import type wallet from './en/wallet.json'

/** Types only: `t('…')` accepts the keys of the English files. A new namespace is one import and one line here. */
export declare const resources: {
  readonly common: typeof common
  readonly account: typeof account
  readonly audit: typeof audit
  readonly channels: typeof channels
  readonly dashboard: typeof dashboard
  readonly chat: typeof chat
  readonly docs: typeof docs
  readonly home: typeof home
  readonly keySetup: typeof keySetup
  readonly login: typeof login
  readonly logs: typeof logs
  readonly personal: typeof personal
  readonly playground: typeof playground
  readonly redemptions: typeof redemptions
  readonly pricing: typeof pricing
  readonly settings: typeof settings
  readonly setup: typeof setup
  readonly shell: typeof shell
  readonly stepUp: typeof stepUp
  readonly tasks: typeof tasks
  readonly tokens: typeof tokens
  readonly wallet: typeof wallet
  readonly users: typeof users
}

export type Namespace = keyof typeof resources
