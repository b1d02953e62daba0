import type { Language, UserGroups } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'

/** Descriptions of the groups that an installation starts with, until its operator changes them. */
const firstTexts: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  default: { en: 'Default group', zh: '默认分组' },
  vip: { en: 'VIP group', zh: 'vip分组' },
}

function textOf(name: string, text: string, language: Language): string {
  const first = Object.hasOwn(firstTexts, name) ? firstTexts[name] : undefined
  return first !== undefined && text === first.zh ? first[language] : text
}

/**
 * Groups a person may spend in, name → description: those open to everyone, and the own group. Without `group`, those
 * of a visitor, who sees the default group.
 */
export function usableGroups(
  values: Pick<SettingValues, 'UserUsableGroups'>,
  group: string | undefined,
  ownGroupText: string,
  language: Language,
): ReadonlyMap<string, string> {
  const own = group === undefined || group === '' ? 'default' : group
  const groups = new Map(
    Object.entries(values.UserUsableGroups).map(([name, text]) => [name, textOf(name, text, language)]),
  )
  if (!groups.has(own)) groups.set(own, ownGroupText)
  return groups
}

/** Decides whether a user of `userGroup` may use `group`. */
export function isUsableGroup(
  values: Pick<SettingValues, 'UserUsableGroups'>,
  userGroup: string,
  group: string,
): boolean {
  return usableGroups(values, userGroup, '', 'en').has(group)
}

/** Returns the ratio of a group; one without a ratio is charged at 1. */
export function groupRatio(values: Pick<SettingValues, 'GroupRatio'>, group: string): number {
  return values.GroupRatio[group] ?? 1
}

/** Those of the groups that have a ratio, with ratio and description: a call in any other would be refused. */
export function pricedGroups(
  values: Pick<SettingValues, 'GroupRatio' | 'UserUsableGroups'>,
  group: string | undefined,
  ownGroupText: string,
  language: Language,
): UserGroups {
  const offered: UserGroups = {}
  for (const [name, desc] of usableGroups(values, group, ownGroupText, language)) {
    const ratio = values.GroupRatio[name]
    if (ratio !== undefined) offered[name] = { ratio, desc }
  }
  return offered
}
