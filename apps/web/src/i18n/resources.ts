import type audit from './en/audit.json'
import type channels from './en/channels.json'
import type common from './en/common.json'
import type docs from './en/docs.json'
import type home from './en/home.json'
import type login from './en/login.json'
import type logs from './en/logs.json'
import type playground from './en/playground.json'
import type setup from './en/setup.json'
import type tokens from './en/tokens.json'
import type users from './en/users.json'

/** Types only: `t('…')` accepts the keys of the English files. A new namespace is one import and one line here. */
export declare const resources: {
  readonly common: typeof common
  readonly audit: typeof audit
  readonly channels: typeof channels
  readonly docs: typeof docs
  readonly home: typeof home
  readonly login: typeof login
  readonly logs: typeof logs
  readonly playground: typeof playground
  readonly setup: typeof setup
  readonly tokens: typeof tokens
  readonly users: typeof users
}

export type Namespace = keyof typeof resources
