import type { EditConflict } from '@tollgate/api'

type Fields = Readonly<Record<string, unknown>>

/** Values on which an edit was made. */
export interface EditBase<Values> {
  /** The form when the person began; a field that they have not touched follows the server. */
  readonly started: Values
  /** The conflicts that the person has seen and decided. */
  readonly seen: readonly EditConflict[]
}

/**
 * The values that a body was made on, for the fields that it has: the server refuses it where somebody else has changed one.
 * @param before the body of the form as the person found it
 */
export function baseOf(before: object, body: object, seen: readonly EditConflict[]): Fields {
  const found = before as Fields
  const names = Object.keys(body).filter((name) => found[name] !== undefined)
  return rebased(Object.fromEntries(names.map((name) => [name, found[name]])), seen)
}

/** A base with what the person has seen since: their decision was made on that. */
export function rebased(base: Fields, seen: readonly EditConflict[]): Fields {
  const next: Record<string, unknown> = { ...base }
  for (const { field, entry, current } of seen)
    if (field in next) next[field] = entry === undefined ? current : withEntry(next[field], entry, current)
  return next
}

/** A JSON text with another value of one entry, in its place; null removes it. */
export function withEntry(text: unknown, entry: string, value: unknown): string {
  const map = text === '' ? {} : (JSON.parse(String(text)) as Record<string, unknown>)
  const entries = Object.entries({ ...map, [entry]: value }).filter(
    ([name]) => name !== entry || value !== null,
  )
  return JSON.stringify(Object.fromEntries(entries), null, 2)
}
