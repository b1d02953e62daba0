import type { EditConflict } from '@tollgate/api'
import { Refusal } from './refusal.ts'

/** Values by the names of fields, or of entries. */
export type Fields = Readonly<Record<string, unknown>>

/** An edit over what is stored by now. */
export interface Merged {
  readonly value: unknown
  readonly conflicts: readonly Omit<EditConflict, 'field'>[]
}

/**
 * Merges an edit into the value as it is.
 * @param base the value that the edit was made on
 */
export type Merge = (base: unknown, current: unknown, sent: unknown) => Merged

/** Changes the value as a whole. */
export const mergeWhole: Merge = (base, current, sent) => {
  if (isSame(sent, base)) return { value: current, conflicts: [] }
  if (isSame(current, base) || isSame(current, sent)) return { value: sent, conflicts: [] }
  return { value: sent, conflicts: [{ base, current, sent }] }
}

/** Changes the entries of a map that the edit changed; those that others changed stay. */
export function mergeEntries(base: Fields, current: Fields, sent: Fields): Merged {
  const merged = new Map(Object.entries(current))
  const conflicts: Omit<EditConflict, 'field'>[] = []
  for (const entry of namesOf(base, sent)) {
    const [was, is, wanted] = [own(base, entry), own(current, entry), own(sent, entry)]
    const { value, conflicts: found } = mergeWhole(was, is, wanted)
    for (const _ of found)
      conflicts.push({ entry, base: was ?? null, current: is ?? null, sent: wanted ?? null })
    if (value === undefined) merged.delete(entry)
    else merged.set(entry, value)
  }
  return { value: Object.fromEntries(merged), conflicts }
}

/** Adds and removes what the edit added and removed. Two edits of a list never contradict each other. */
export function mergeItems(
  base: readonly string[],
  current: readonly string[],
  sent: readonly string[],
): readonly string[] {
  if (isSame(base, current)) return sent
  const added = sent.filter((item) => !base.includes(item) && !current.includes(item))
  return [...current.filter((item) => !base.includes(item) || sent.includes(item)), ...added]
}

/** Merges texts with names between commas. */
export const mergeCommaLists: Merge = (base, current, sent) => ({
  value: mergeItems(namesIn(base), namesIn(current), namesIn(sent)).join(),
  conflicts: [],
})

/** Merges the entries of JSON objects; texts of another kind as wholes. */
export const mergeJsonTexts: Merge = (base, current, sent) => {
  const whole = mergeWhole(base, current, sent)
  const [was, is, wanted] = [objectIn(base), objectIn(current), objectIn(sent)]
  if (whole.conflicts.length === 0 || was === undefined || is === undefined || wanted === undefined)
    return whole
  const { value, conflicts } = mergeEntries(was, is, wanted)
  return { value: JSON.stringify(value, null, 2), conflicts }
}

interface Edit extends Fields {
  readonly base?: Fields | undefined
}

/**
 * Returns the changes of a body to the current record: fields that it has as they were are left out. A body without a base names what
 * it changes by its fields.
 * @param current the record by now, by the names of JSON
 * @throws Refusal with every field that was changed since and that the body has otherwise
 */
export function editOver<Body extends Edit>(
  body: Body,
  current: Fields,
  merges: Readonly<Record<string, Merge>> = {},
): Body {
  const { base = {} } = body
  const edit: Record<string, unknown> = { ...body }
  const conflicts: EditConflict[] = []
  for (const [field, was] of Object.entries(base)) {
    const sent = edit[field]
    if (sent === undefined || sent === null || !Object.hasOwn(current, field)) continue
    const { value, conflicts: found } = (merges[field] ?? mergeWhole)(was, current[field], sent)
    conflicts.push(...found.map((conflict) => ({ field, ...conflict })))
    if (isSame(sent, was)) delete edit[field]
    else edit[field] = value
  }
  refuseConflicts(conflicts)
  // The same fields, some of them left out, which every field of an edit may be.
  return edit as Body
}

/** Throws when there is a conflict. Its refusal has all of them. */
export function refuseConflicts(conflicts: readonly EditConflict[]): void {
  if (conflicts.length === 0) return
  const names = conflicts.map(({ field, entry }) => (entry === undefined ? field : `${field}: ${entry}`))
  throw new Refusal('edit_conflict', { fields: names }, { extra: { conflicts } })
}

function namesOf(...maps: readonly Fields[]): ReadonlySet<string> {
  return new Set(maps.flatMap(Object.keys))
}

/** Reads an own field: a model may have the name of something that every object has. */
function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function namesIn(text: unknown): readonly string[] {
  const names = String(text ?? '').split(',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

function objectIn(text: unknown): Fields | undefined {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(String(text))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
