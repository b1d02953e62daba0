import { type AdminPart, hasPart, type PartHolder } from '../admin-parts.ts'
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

/** The part that an administrator needs for the options of a card; `settings` where none stands here. */
const partOfGroup: Partial<Record<SettingGroup, AdminPart>> = {
  quota: 'money',
  pricing: 'prices',
  groups: 'prices',
  log: 'log',
}

/** Group of a setting, the least role that may read and write it, and its demand for a recent proof. */
export interface Placement {
  readonly group: SettingGroup
  readonly read: Role
  readonly write: Role
  /** The part that an administrator needs to read and to write it. */
  readonly part: AdminPart
  /** A part that an administrator needs besides, to write it. */
  readonly partToWrite?: AdminPart
  /**
   * Set for an option that moves root's money, by gifts, prices or what a unit is worth. It is root's until root lets administrators
   * write it too: all of them by `AdminMoneyOptionsEnabled`, or one by the part `money-options`.
   */
  readonly movesMoney: boolean
  /** Asked for what lets people in, carries mail, money or keys, or demands something of administrators. */
  readonly recentProof: OptionRule
}

export type Placed<Settings> = { readonly [Key in keyof Settings]: Settings[Key] & Placement }

/** Operation, model and site settings (accounts §6) that move no money. */
export function forAdmins<Settings extends Record<string, Setting<unknown>>>(
  group: SettingGroup,
  recentProof: OptionRule,
  settings: Settings,
): Placed<Settings> {
  return placed({ group, read: 'admin', write: 'admin', movesMoney: false, recentProof }, settings)
}

/** Operation settings that move root's money: gifts, prices, groups, what a unit is worth. Root's, unless root delegates them. */
export function forMoney<Settings extends Record<string, Setting<unknown>>>(
  group: SettingGroup,
  settings: Settings,
): Placed<Settings> {
  return placed({ group, read: 'admin', write: 'root', movesMoney: true, recentProof: 'operates' }, settings)
}

/** Places settings that delete rows of the log: root writes them, and administrators to whom root gave that. */
export function forClearing<Settings extends Record<string, Setting<unknown>>>(
  group: SettingGroup,
  settings: Settings,
): Placed<Settings> {
  const clearing = { partToWrite: 'log-clearing', movesMoney: false, recentProof: 'operates' } as const
  return placed({ group, read: 'admin', write: 'admin', ...clearing }, settings)
}

/** Money in, sign-in, mail and addresses: the super admin's alone (accounts §6). */
export function forRoot<Settings extends Record<string, Setting<unknown>>>(
  group: SettingGroup,
  recentProof: OptionRule,
  settings: Settings,
): Placed<Settings> {
  return placed({ group, read: 'root', write: 'root', movesMoney: false, recentProof }, settings)
}

export function placed<Settings extends Record<string, Setting<unknown>>>(
  placement: Omit<Placement, 'part'>,
  settings: Settings,
): Placed<Settings> {
  const placedIn: Placement = { ...placement, part: partOfGroup[placement.group] ?? 'settings' }
  const entries = Object.entries(settings).map(([key, setting]) => [key, { ...setting, ...placedIn }])
  // Object.entries forgets which key had which type; nothing else was changed.
  return Object.fromEntries(entries) as Placed<Settings>
}

/** Checks that somebody has a role, and as an administrator these parts. */
export function hasRank(holder: PartHolder, min: Role, ...parts: readonly AdminPart[]): boolean {
  return (
    hasRole(holder.role, min) && (holder.role !== 'admin' || parts.every((part) => hasPart(holder, part)))
  )
}

function hasRole(role: Role, min: Role): boolean {
  return roles[role] >= roles[min]
}
