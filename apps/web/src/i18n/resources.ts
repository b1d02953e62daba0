import type channels from './en/channels.json'
import type common from './en/common.json'
import type docs from './en/docs.json'
import type home from './en/home.json'
import type login from './en/login.json'
import type logs from './en/logs.json'
import type playground from './en/playground.json'
import type settings from './en/settings.json'
import type setup from './en/setup.json'
import type tokens from './en/tokens.json'

/** Types only: `t('…')` accepts the keys of the English files. A new namespace is one import and one line here. */
export declare const resources: {
  readonly common: typeof common
  readonly channels: typeof channels
  readonly docs: typeof docs
  readonly home: typeof home
  readonly login: typeof login
  readonly logs: typeof logs
  readonly playground: typeof playground
  readonly settings: typeof settings
  readonly setup: typeof setup
  readonly tokens: typeof tokens
}

export type Namespace = keyof typeof resources
