import { type GroupChange, type GroupField, type GroupSettings, groupSettings } from '@tollgate/api'
import type { SettingKey, SettingValues } from '@tollgate/api/settings'
import { type Fields, mergeWhole, refuseConflicts } from '../lib/merge-edit.ts'

/** Option of each field of a group: the map that has it, with an entry for each group. */
export const groupOptions = {
  ratio: 'GroupRatio',
  is_open: 'UserUsableGroups',
  description: 'UserUsableGroups',
  top_up_ratio: 'TopupGroupRatio',
  user_limits: 'ModelRequestRateLimitGroup',
  requests_per_minute: 'GroupRateLimits',
  tokens_per_minute: 'GroupRateLimits',
  concurrency: 'GroupRateLimits',
} as const satisfies Record<GroupField, SettingKey>

type GroupOption = (typeof groupOptions)[GroupField]
type GroupValues = Pick<SettingValues, GroupOption>

/** Names of a group's fields. */
export const groupFields = Object.keys(groupSettings.shape) as readonly GroupField[]

/** Change of the entry that an option has for a group; null removes it. */
export interface EntryChange {
  readonly key: GroupOption
  readonly entries: Readonly<Record<string, unknown>>
}

/** Returns what the options say of a group; of one without entries that it costs the price and has no limits of its own. */
export function settingsOfGroup(values: GroupValues, group: string): GroupSettings {
  const description = own(values.UserUsableGroups, group)
  const userLimits = own(values.ModelRequestRateLimitGroup, group)
  return {
    ratio: own(values.GroupRatio, group) ?? 1,
    is_open: description !== undefined,
    description: description ?? '',
    top_up_ratio: own(values.TopupGroupRatio, group) ?? 1,
    user_limits: userLimits === undefined ? null : { requests: userLimits[0], successes: userLimits[1] },
    ...(own(values.GroupRateLimits, group) ?? noSharedLimits),
  }
}

const noSharedLimits = { requests_per_minute: 0, tokens_per_minute: 0, concurrency: 0 }

/**
 * Returns a group after an edit; absent fields stay.
 * @param base the fields that the edit was made on
 * @throws Refusal with every field that somebody else changed since, and that the edit has otherwise
 */
export function editedGroup(now: GroupSettings, edit: GroupChange, base: GroupChange = {}): GroupSettings {
  const edited: Record<string, unknown> = { ...now }
  const conflicts = groupFields.flatMap((field) => {
    if (edit[field] === undefined) return []
    const was = Object.hasOwn(base, field) ? base[field] : now[field]
    const merged = mergeWhole(was, now[field], edit[field])
    edited[field] = merged.value
    return merged.conflicts.map((conflict) => ({ field, ...conflict }))
  })
  refuseConflicts(conflicts)
  // Every field is one of the edit's or of the group's, each of its own type.
  const group = edited as unknown as GroupSettings
  return group.is_open ? group : { ...group, description: '' }
}

/** The entries that make a group what it is after a change, where it was otherwise before; a new group gets its ratio. */
export function entriesOfGroup(
  now: GroupValues,
  group: string,
  after: GroupSettings,
): readonly EntryChange[] {
  const [old, next] = [entriesOf(settingsOfGroup(now, group)), entriesOf(after)]
  return groupOptionKeys.flatMap((key) => {
    const isNew = key === 'GroupRatio' && !Object.hasOwn(now.GroupRatio, group)
    if (!isNew && isSame(old[key], next[key])) return []
    return [{ key, entries: { [group]: next[key] } }]
  })
}

const groupOptionKeys = [...new Set(Object.values(groupOptions))]

function entriesOf(settings: GroupSettings): Readonly<Record<GroupOption, unknown>> {
  const { requests_per_minute, tokens_per_minute, concurrency, user_limits: userLimits } = settings
  const isLimited = requests_per_minute + tokens_per_minute + concurrency > 0
  return {
    GroupRatio: settings.ratio,
    UserUsableGroups: settings.is_open ? settings.description : null,
    TopupGroupRatio: settings.top_up_ratio,
    ModelRequestRateLimitGroup: userLimits && [userLimits.requests, userLimits.successes],
    GroupRateLimits: isLimited ? { requests_per_minute, tokens_per_minute, concurrency } : null,
  }
}

/** Moves the entries of a group to another name: those of the new name end, which are left of a group that is gone. */
export function renamedEntries(now: GroupValues, from: string, to: string): readonly EntryChange[] {
  return groupOptionKeys.flatMap((key) => {
    const value: unknown = own<unknown>(now[key], from)
    const left: unknown = own<unknown>(now[key], to)
    return value === undefined && left === undefined
      ? []
      : [{ key, entries: { [from]: null, [to]: value ?? null } }]
  })
}

/** Ends every entry of a group. */
export function removedEntries(now: GroupValues, group: string): readonly EntryChange[] {
  return groupOptionKeys.flatMap((key) =>
    Object.hasOwn(now[key], group) ? [{ key, entries: { [group]: null } }] : [],
  )
}

/** The fields of a group as they were before a recorded change. Only those that the record has. */
export function fieldsBefore(before: Fields): GroupChange {
  return groupSettings.partial().parse(before)
}

/** Reads an own entry: a group may have the name of something that every object has. */
function own<Value>(map: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
