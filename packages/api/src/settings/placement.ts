import type { OptionRule } from '../recent-proof.ts'
import { type Role, roles } from '../roles.ts'
import type { Setting } from './setting.ts'

/** Cards of the settings page and the tab of each. `hidden`: stored for imported data, and on no page. */
export const settingGroups = {
  general: 'operation',
  quota: 'operation',
  pricing: 'operation',
  groups: 'operation',
  drawing: 'operation',
  sensitive: 'operation',
  log: 'operation',
  dashboard: 'operation',
  monitoring: 'operation',
  chat: 'operation',
  ratelimit: 'ratelimit',
  global: 'models',
  gemini: 'models',
  claude: 'models',
  address: 'system',
  worker: 'system',
  outbound: 'system',
  payment: 'system',
  login: 'system',
  security: 'system',
  'email-domain': 'system',
  smtp: 'system',
  oidc: 'system',
  github: 'system',
  linuxdo: 'system',
  wechat: 'system',
  telegram: 'system',
  turnstile: 'system',
  site: 'other',
  legacy: 'hidden',
} as const satisfies Record<string, 'operation' | 'ratelimit' | 'models' | 'system' | 'other' | 'hidden'>

export type SettingGroup = keyof typeof settingGroups
export type SettingTab = (typeof settingGroups)[SettingGroup]

/** Where a setting is shown, the least role that may read and write it, and whether saving it asks for a recent proof. */
export interface Placement {
  readonly group: SettingGroup
  readonly read: Role
  readonly write: Role
  /** Asked for what lets people in, carries mail, money or keys, or demands something of administrators. */
  readonly recentProof: OptionRule
}

export type Placed<Settings> = { readonly [Key in keyof Settings]: Settings[Key] & Placement }

/** Operation, model and site settings (accounts §6). */
export function forAdmins<Settings extends Record<string, Setting<unknown>>>(
  group: SettingGroup,
  recentProof: OptionRule,
  settings: Settings,
): Placed<Settings> {
  return placed({ group, read: 'admin', write: 'admin', recentProof }, settings)
}

/** Money in, sign-in, mail and addresses: the super admin's alone (accounts §6). */
export function forRoot<Settings extends Record<string, Setting<unknown>>>(
  group: SettingGroup,
  recentProof: OptionRule,
  settings: Settings,
): Placed<Settings> {
  return placed({ group, read: 'root', write: 'root', recentProof }, settings)
}

export function placed<Settings extends Record<string, Setting<unknown>>>(
  placement: Placement,
  settings: Settings,
): Placed<Settings> {
  const entries = Object.entries(settings).map(([key, setting]) => [key, { ...setting, ...placement }])
  // Object.entries forgets which key had which type; nothing else was changed.
  return Object.fromEntries(entries) as Placed<Settings>
}

export function hasRole(role: Role, least: Role): boolean {
  return roles[role] >= roles[least]
}
