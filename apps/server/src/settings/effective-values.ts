import type { SettingKey, SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'

interface Base {
  readonly key: SettingKey
  /** Permits a path of its own in the address. */
  readonly hasPath: boolean
  /** Texts that the gateway appends to the address: an operator who copied them along would have them twice. */
  readonly appended: readonly string[]
}

/** Addresses that others are made of. The console and its links lie at the root of their host. */
const bases: readonly Base[] = [
  { key: 'ServerAddress', hasPath: false, appended: [] },
  { key: 'PayAddress', hasPath: true, appended: ['/submit.php', '/mapi.php'] },
  { key: 'CustomCallbackAddress', hasPath: true, appended: ['/api/user/epay/notify'] },
  { key: 'WeChatServerAddress', hasPath: true, appended: ['/api/wechat/user'] },
]

/** Maps with an entry for each group. Entries of a removed group stay: nobody is in it, and it has them when it comes back. */
export const groupMaps = [
  'UserUsableGroups',
  'TopupGroupRatio',
  'ModelRequestRateLimitGroup',
  'GroupRateLimits',
] as const satisfies readonly SettingKey[]

/**
 * Refuses a change to a value that would do something else than it says, or nothing, with what to write instead. What is stored
 * already blocks no other change.
 */
export function refuseWithoutEffect(
  changed: readonly SettingKey[],
  { before, after }: { readonly before: SettingValues; readonly after: SettingValues },
): void {
  for (const base of bases) if (changed.includes(base.key)) refuseWrongBase(base, String(after[base.key]))
  for (const key of changed) refuseUnfitNames(key, before[key], after[key])
  for (const key of groupMaps) if (changed.includes(key)) refuseUnknownGroups(key, before, after)
}

function refuseWrongBase({ key, hasPath, appended }: Base, address: string): void {
  if (address === '') return
  const url = URL.parse(address)
  if (url === null) throw new Refusal('option_not_url', { key })
  const ending = appended.find((each) => url.pathname.endsWith(each)) ?? ''
  const path = hasPath ? url.pathname.slice(0, url.pathname.length - ending.length).replace(/\/+$/, '') : ''
  const isRight = url.pathname.replace(/\/+$/, '') === path && !/[?#]/.test(address) && url.username === ''
  if (!isRight || url.password !== '')
    throw new Refusal('option_not_base_address', { key, address: url.origin + path })
}

/** Groups stand in comma lists of channels. */
const listSeparators = /\s*[,，]\s*/g

/** Names of models and groups are compared with what callers write, which has no blanks around it and no line breaks. */
function refuseUnfitNames(key: SettingKey, before: unknown, after: unknown): void {
  if (!isMap(after)) return
  const isNew = (name: string) => !isMap(before) || !Object.hasOwn(before, name)
  for (const entry of Object.keys(after).filter(isNew)) {
    const line = entry.replace(/\p{Cc}+/gu, ' ').trim()
    const name = key === 'GroupRatio' ? line.replace(listSeparators, '-') : line
    if (name === '') throw new Refusal('option_entry_blank', { key })
    if (name !== entry) throw new Refusal('option_entry_unfit', { key, entry: JSON.stringify(entry), name })
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Groups that options still name and that have no ratio any more: nobody can call in them. */
export function groupsWithoutRatio(values: SettingValues): readonly string[] {
  const named = new Set(groupMaps.flatMap((key) => Object.keys(values[key])))
  return [...named].filter((group) => !Object.hasOwn(values.GroupRatio, group))
}

/** Calls, ratios and limits are of groups that have a ratio. */
function refuseUnknownGroups(
  key: (typeof groupMaps)[number],
  before: SettingValues,
  after: SettingValues,
): void {
  const unknown = Object.keys(after[key]).find(
    (group) => !Object.hasOwn(after.GroupRatio, group) && !Object.hasOwn(before[key], group),
  )
  if (unknown !== undefined)
    throw new Refusal('option_group_unknown', {
      key,
      group: unknown,
      groups: Object.keys(after.GroupRatio),
    })
}
