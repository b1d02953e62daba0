import { isObject, type JsonObject } from '@tollgate/formats'

/**
 * Where a body holds values of one kind: members by name, `[]` each item of a list, `[type=tool_use]` each item with such a member.
 * `messages[].tool_calls[].id`
 */
export type BodyPlace = string

type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'items'; readonly name?: string; readonly value?: string }

/** A place, read once. */
export interface CompiledPlace {
  /** The top-level member that it lies in. */
  readonly root: string
  readonly steps: readonly Step[]
}

const stepPattern = /\[(?:(\w+)=([\w-]+))?\]|([\w]+)/g

/** Reads a place. */
export function compilePlace(place: BodyPlace): CompiledPlace {
  const steps = [...place.matchAll(stepPattern)].map(([text, name, value, member]): Step => {
    if (!text.startsWith('[')) return { kind: 'member', name: member ?? '' }
    return name === undefined || value === undefined ? { kind: 'items' } : { kind: 'items', name, value }
  })
  const [root] = steps
  if (root?.kind !== 'member') throw new TypeError(`${place} does not begin with a member`)
  return { root: root.name, steps: steps.slice(1) }
}

/** Whether any text at a place passes a test. Allocates nothing: most bodies have nothing to change. */
export function anyText(
  value: unknown,
  place: CompiledPlace,
  test: (text: string) => boolean,
  depth = 0,
): boolean {
  const step = place.steps[depth]
  if (step === undefined) return typeof value === 'string' && test(value)
  if (step.kind === 'member') return isObject(value) && anyText(value[step.name], place, test, depth + 1)
  if (!Array.isArray(value)) return false
  for (const item of value) if (isMeant(item, step) && anyText(item, place, test, depth + 1)) return true
  return false
}

/** The value with each text at a place replaced; the same object where nothing changes. */
export function mapTexts(
  value: unknown,
  place: CompiledPlace,
  map: (text: string) => string,
  depth = 0,
): unknown {
  const step = place.steps[depth]
  if (step === undefined) return typeof value === 'string' ? map(value) : value
  if (step.kind === 'items') {
    if (!Array.isArray(value)) return value
    const items = value.map((item: unknown) =>
      isMeant(item, step) ? mapTexts(item, place, map, depth + 1) : item,
    )
    return items.every((item, at) => item === value[at]) ? value : items
  }
  if (!isObject(value) || !(step.name in value)) return value
  const inner = mapTexts(value[step.name], place, map, depth + 1)
  return inner === value[step.name] ? value : ({ ...value, [step.name]: inner } satisfies JsonObject)
}

function isMeant(item: unknown, step: Extract<Step, { kind: 'items' }>): boolean {
  return step.name === undefined || (isObject(item) && item[step.name] === step.value)
}
