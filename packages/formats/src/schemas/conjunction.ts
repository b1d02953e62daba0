import { numberOf } from '../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf } from '../json/value.ts'
import { isAnnotation, typesOf, without } from './keywords.ts'

/** A schema that cannot be written as one: the parts have to stand side by side. */
class Unmergeable extends Error {}

/** The target of a reference that may be put in its place; `undefined` for one that has to stay. */
export type Inline = (reference: string) => JsonObject | undefined

/**
 * One schema that is valid exactly where all of them are; `undefined` where there is no such schema without `allOf`.
 * Texts of the first one that has them count.
 */
export function conjunction(schemas: readonly unknown[], inline: Inline): JsonObject | undefined {
  try {
    return schemas
      .map((schema) => flattened(schema, inline))
      .reduce((all, next) => both(all, next, inline), {})
  } catch (error) {
    if (error instanceof Unmergeable) return undefined
    throw error
  }
}

/** Returns the schema without `allOf` and without a reference beside other members. */
function flattened(schema: unknown, inline: Inline): JsonObject {
  if (schema === true) return {}
  if (!isObject(schema)) throw new Unmergeable()
  const { $ref, allOf } = schema
  const target = typeof $ref === 'string' ? inline($ref) : undefined
  if (typeof $ref === 'string' && target === undefined) throw new Unmergeable()
  if (target === undefined && !Array.isArray(allOf)) return schema
  const own = without(schema, ['$ref', 'allOf'])
  const parts = [...(target === undefined ? [] : [target]), ...listOf(allOf)]
  return parts.map((part) => flattened(part, inline)).reduce((all, next) => both(all, next, inline), own)
}

function both(first: JsonObject, second: JsonObject, inline: Inline): JsonObject {
  if (Object.keys(first).length === 0) return second
  checkContext(first, second)
  const merged = new Map(Object.entries(first))
  for (const [key, value] of Object.entries(second))
    if (!objectKeywords.has(key))
      merged.set(key, merged.has(key) ? mergeMember(key, merged.get(key), value, inline) : value)
  for (const [key, value] of objectMembers(first, second, inline)) merged.set(key, value)
  return Object.fromEntries(merged)
}

const objectKeywords: ReadonlySet<string> = new Set(['properties', 'additionalProperties'])
/** Keywords whose meaning depends on the keywords beside them. */
const dependent = [
  'patternProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'if',
  'prefixItems',
  'contains',
]

function checkContext(first: JsonObject, second: JsonObject): void {
  if (isAnnotation(first) || isAnnotation(second)) return
  const isShared = (name: string) => name in first || name in second
  const objects = 'additionalProperties' in first || 'additionalProperties' in second
  if ((isShared('patternProperties') && objects) || dependent.slice(1).some(isShared)) throw new Unmergeable()
}

type Merge = (first: unknown, second: unknown, inline: Inline) => unknown

const larger: Merge = (first, second) => compared(first, second, (a, b) => a >= b)
const smaller: Merge = (first, second) => compared(first, second, (a, b) => a <= b)
const earlier: Merge = (first) => first

const merges: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
    (key) => [key, larger] as const,
  ),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
    (key) => [key, smaller] as const,
  ),
  ...['title', 'description', 'default', 'examples', '$schema', '$id', '$comment'].map(
    (key) => [key, earlier] as const,
  ),
  ['required', (first, second) => [...new Set([...listOf(first), ...listOf(second)])]],
  ['type', (first, second) => commonTypes(objectOf({ type: first }), objectOf({ type: second }))],
  ['enum', (first, second) => commonValues(listOf(first), listOf(second))],
  ['items', (first, second, inline) => all([first, second], inline)],
  ['$defs', (first, second) => definitions(objectOf(first), objectOf(second))],
])

function mergeMember(key: string, first: unknown, second: unknown, inline: Inline): unknown {
  if (first === second) return first
  const merge = merges.get(key)
  if (merge !== undefined) return merge(first, second, inline)
  if (JSON.stringify(first) === JSON.stringify(second)) return first
  throw new Unmergeable()
}

function definitions(first: JsonObject, second: JsonObject): JsonObject {
  if (Object.keys(first).some((name) => Object.hasOwn(second, name))) throw new Unmergeable()
  return { ...first, ...second }
}

function compared(first: unknown, second: unknown, isStored: (a: number, b: number) => boolean): unknown {
  const [one, other] = [numberOf(first), numberOf(second)]
  if (one === undefined || other === undefined) throw new Unmergeable()
  return isStored(one, other) ? first : second
}

function commonTypes(first: JsonObject, second: JsonObject): string | readonly string[] {
  const wide = typesOf(second) ?? []
  const common = (typesOf(first) ?? []).flatMap((type) => {
    if (wide.includes(type) || (type === 'integer' && wide.includes('number'))) return [type]
    return type === 'number' && wide.includes('integer') ? ['integer'] : []
  })
  const [only, ...others] = common
  if (only === undefined) throw new Unmergeable()
  return others.length === 0 ? only : common
}

function commonValues(first: readonly unknown[], second: readonly unknown[]): readonly unknown[] {
  const known = new Set(second.map((value) => JSON.stringify(value)))
  const common = first.filter((value) => known.has(JSON.stringify(value)))
  if (common.length === 0) throw new Unmergeable()
  return common
}

function all(schemas: readonly unknown[], inline: Inline): unknown {
  if (schemas.includes(false)) return false
  const others = schemas.filter((schema) => schema !== true && schema !== undefined)
  if (others.length < 2) return others[0] ?? true
  const merged = conjunction(others, inline)
  if (merged === undefined) throw new Unmergeable()
  return merged
}

/** A property that only one of them names is also what the other one says of properties that it does not name. */
function objectMembers(
  first: JsonObject,
  second: JsonObject,
  inline: Inline,
): readonly (readonly [string, unknown])[] {
  const [one, other] = [objectOf(first.properties), objectOf(second.properties)]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const schemaOf = (name: string, own: JsonObject, { additionalProperties }: JsonObject) =>
    Object.hasOwn(own, name) ? own[name] : additionalProperties
  const properties = [...names].flatMap((name) => {
    const merged = all([schemaOf(name, one, first), schemaOf(name, other, second)], inline)
    return merged === false ? [] : [[name, merged] as const]
  })
  const additional = all([first.additionalProperties, second.additionalProperties], inline)
  return [
    ...('properties' in first || 'properties' in second
      ? [['properties', Object.fromEntries(properties)] as const]
      : []),
    ...('additionalProperties' in first || 'additionalProperties' in second
      ? [['additionalProperties', additional] as const]
      : []),
  ]
}
