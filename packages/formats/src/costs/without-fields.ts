import type { JsonEdits } from '../json/text.ts'
import { isObject, type JsonObject, objectOf } from '../json/value.ts'
import type { CostlyField } from './costly-field.ts'
import { chosenTools, namesOf } from './hosted-tools.ts'

type Path = readonly (string | number)[]

/** A body without some of its fields, and the edits of its text that make it so. */
export interface StrippedBody {
  readonly body: JsonObject
  readonly edits: JsonEdits
}

/** Upstreams refuse a choice of tools without tools. */
const ofTools = ['tool_choice', 'parallel_tool_calls']
const ofChoice = ['tool_choice']

/** The body without the fields; lists that lose everything they hold go with it, as does a choice among tools that are gone. */
export function withoutFields(body: JsonObject, fields: readonly CostlyField[]): StrippedBody {
  const paths = fields.flatMap(({ position }) => ('path' in position ? [position.path] : []))
  const edits = new Map<string, string | undefined>()
  const left: Record<string, unknown> = { ...body }
  const set = (key: string, value: unknown) => {
    edits.set(key, value === undefined ? undefined : JSON.stringify(value))
    if (value === undefined) delete left[key]
    else left[key] = value
  }
  for (const [key, inside] of byFirstStep(paths)) set(String(key), without(body[key], inside))
  const gone =
    edits.has('tools') && left.tools === undefined ? ofTools : isChoiceGone(body, paths) ? ofChoice : []
  for (const key of gone) if (key in left) set(key, undefined)
  return { body: left, edits }
}

/** The caller's header fields without the items. */
export function withoutItems<Headers extends Readonly<Record<string, string>>>(
  headers: Headers,
  fields: readonly CostlyField[],
): Headers | Readonly<Record<string, string>> {
  let left: Record<string, string> | undefined
  for (const { position } of fields) {
    if (!('header' in position)) continue
    left ??= { ...headers }
    const items = (left[position.header] ?? '').split(',').map((item) => item.trim())
    const retained = items.filter((item) => item !== position.item && item !== '')
    if (retained.length === 0) delete left[position.header]
    else left[position.header] = retained.join(',')
  }
  return left ?? headers
}

/** A tool that is gone cannot be chosen. */
function isChoiceGone(body: JsonObject, paths: readonly Path[]): boolean {
  const chosen = chosenTools(body.tool_choice)
  return (
    chosen.size > 0 &&
    paths.some((path) => namesOf(objectOf(valueAt(body, path))).some((name) => chosen.has(name)))
  )
}

function valueAt(body: JsonObject, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) => (Array.isArray(value) ? value[Number(step)] : objectOf(value)[step]),
    body,
  )
}

/** The value without what the paths lead to; `undefined` when nothing is left of it. */
function without(value: unknown, paths: readonly Path[]): unknown {
  if (paths.some((path) => path.length === 0)) return undefined
  const inside = byFirstStep(paths)
  if (Array.isArray(value)) {
    const retained = value.flatMap((item: unknown, index) => {
      const left = inside.has(index) ? without(item, inside.get(index) ?? []) : item
      return left === undefined || hasLostItsTools(item, left) ? [] : [left]
    })
    return retained.length === 0 ? undefined : retained
  }
  if (!isObject(value)) return value
  const retained = Object.entries(value).flatMap(([key, member]) => {
    const left = inside.has(key) ? without(member, inside.get(key) ?? []) : member
    return left === undefined ? [] : [[key, left] as const]
  })
  return retained.length === 0 ? undefined : Object.fromEntries(retained)
}

/** A namespace, or an item that adds tools, of which nothing but its name is left. */
function hasLostItsTools(before: unknown, left: unknown): boolean {
  return isObject(before) && isObject(left) && 'tools' in before && !('tools' in left)
}

function byFirstStep(paths: readonly Path[]): ReadonlyMap<string | number, readonly Path[]> {
  const grouped = new Map<string | number, Path[]>()
  for (const [first, ...others] of paths) {
    if (first === undefined) continue
    const inside = grouped.get(first) ?? []
    grouped.set(first, inside)
    inside.push(others)
  }
  return grouped
}
