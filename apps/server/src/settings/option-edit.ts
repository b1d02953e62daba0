import {
  defaults,
  formatSetting,
  isSecret,
  parseSetting,
  type SettingKey,
  type SettingValues,
} from '@tollgate/api/settings'
import {
  type Fields,
  type Merged,
  mergeEntries,
  mergeItems,
  mergeWhole,
  refuseConflicts,
} from '../lib/merge-edit.ts'
import { Refusal } from '../lib/refusal.ts'

/** Edit of an option: the whole of it, or some entries of a map. */
export interface OptionEdit {
  readonly key: SettingKey
  readonly value?: string | undefined
  /** Null removes an entry. */
  readonly entries?: Fields | undefined
  /** The text that the edit was made on. */
  readonly base?: string | undefined
}

/**
 * The text of an option after an edit, over the value as it is; `undefined` for an edit without a value. Entries of maps and
 * lists that others changed since the edit's base stay.
 * @throws Refusal where somebody else has changed the same since
 */
export function editedText(edit: OptionEdit, now: SettingValues): string | undefined {
  const { key, value, entries } = edit
  // Nobody knows what a secret was.
  const base = edit.base === undefined || isSecret(key) ? undefined : parsedValue(key, edit.base)
  if (entries !== undefined) return entriesText(key, now[key], entries, base)
  if (value === undefined || base === undefined) return value
  const sent = parsedValue(key, value)
  return textOf(key, conflictFree(key, merge(base, now[key], sent)))
}

/** Returns the values as they would be with some entries of maps; null removes one. Nothing is changed. */
export function valuesAfter(
  now: SettingValues,
  edits: readonly { readonly key: SettingKey; readonly entries: Fields }[],
): SettingValues {
  const changed = edits.map(({ key, entries }) => [
    key,
    parsedValue(key, entriesText(key, now[key], entries, undefined)),
  ])
  return { ...now, ...Object.fromEntries(changed) }
}

/** Returns the values as they would be with other texts; without one by its default. Nothing is changed. */
export function valuesWith(
  now: SettingValues,
  texts: readonly { readonly key: SettingKey; readonly value?: string | undefined }[],
): SettingValues {
  const values = texts.map(({ key, value }) => [
    key,
    value === undefined ? defaults[key] : parsedValue(key, value),
  ])
  return { ...now, ...Object.fromEntries(values) }
}

function entriesText(key: SettingKey, current: unknown, entries: Fields, base: unknown): string {
  if (!isMap(current)) throw new Refusal('option_not_map', { key })
  const was = isMap(base) ? base : current
  return textOf(key, conflictFree(key, mergeEntries(was, current, withEntries(was, entries))))
}

function withEntries(map: Fields, entries: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...map, ...entries }).filter(([, value]) => value !== null))
}

function merge(base: unknown, current: unknown, sent: unknown): Merged {
  if (isMap(base) && isMap(current) && isMap(sent)) return mergeEntries(base, current, sent)
  if (isTexts(base) && isTexts(current) && isTexts(sent))
    return { value: mergeItems(base, current, sent), conflicts: [] }
  return mergeWhole(base, current, sent)
}

function conflictFree(field: SettingKey, { value, conflicts }: Merged): unknown {
  refuseConflicts(conflicts.map((conflict) => ({ field, ...conflict })))
  return value
}

function parsedValue(key: SettingKey, text: string): unknown {
  const parsed = parseSetting(key, text)
  if (!parsed.ok) throw new Refusal(parsed.code, parsed.details)
  return parsed.value
}

function textOf(key: SettingKey, value: unknown): string {
  // Merged from values of this option; it is parsed once more before it is stored.
  return formatSetting(key, value as SettingValues[SettingKey])
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
