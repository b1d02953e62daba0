import { isObject, type JsonObject } from '../json/value.ts'

const single: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
])
const listed: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'])
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])

/** Keywords that say nothing of what is valid. */
export const annotations: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'propertyOrdering',
])

/** Returns whether a schema says nothing of what is valid. */
export function isAnnotation(schema: JsonObject): boolean {
  return Object.keys(schema).every((key) => annotations.has(key))
}

/** @param keyword that holds the schema */
type Visit = (inner: unknown, at: string, keyword: string) => unknown

/**
 * The schema with every schema directly in it replaced by what `visit` returns; the same object when nothing changes.
 * @param at path of the schema, for the paths of those in it
 */
export function mapSchemas(schema: JsonObject, at: string, visit: Visit): JsonObject {
  let changed: Record<string, unknown> | undefined
  for (const key of Object.keys(schema)) {
    if (!holders.has(key)) continue
    const value = schema[key]
    const mapped = mapMember(key, value, join(at, key), visit)
    if (mapped === value) continue
    changed ??= { ...schema }
    changed[key] = mapped
  }
  return changed ?? schema
}

/** Keywords that may hold schemas. */
const holders: ReadonlySet<string> = new Set([...single, ...listed, ...named])

function mapMember(key: string, value: unknown, at: string, visit: Visit): unknown {
  if (Array.isArray(value))
    return listed.has(key) ? mapList(value, at, (inner, position) => visit(inner, position, key)) : value
  if (named.has(key))
    return isObject(value) ? mapNamed(value, at, (inner, position) => visit(inner, position, key)) : value
  return single.has(key) ? visit(value, at, key) : value
}

type VisitMember = (inner: unknown, at: string) => unknown

function mapList(list: readonly unknown[], at: string, visit: VisitMember): readonly unknown[] {
  const mapped = list.map((inner, index) => visit(inner, `${at}[${index}]`))
  return mapped.some((inner, index) => inner !== list[index]) ? mapped : list
}

function mapNamed(schemas: JsonObject, at: string, visit: VisitMember): JsonObject {
  let isChanged = false
  const mapped = Object.entries(schemas).map(([name, inner]) => {
    const result = visit(inner, join(at, name))
    isChanged ||= result !== inner
    return [name, result] as const
  })
  return isChanged ? Object.fromEntries(mapped) : schemas
}

/** Calls `visit` with every schema directly in another one. */
export function eachSchema(schema: JsonObject, visit: (inner: unknown) => void): void {
  mapSchemas(schema, '', (inner) => {
    visit(inner)
    return inner
  })
}

/** The path of a member. */
export function join(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}

/** The schema without some of its members; the same object when it has none of them. */
export function without(schema: JsonObject, names: Iterable<string>): JsonObject {
  const all = new Set(names)
  const retained = Object.entries(schema).filter(([name]) => !all.has(name))
  return retained.length === Object.keys(schema).length ? schema : Object.fromEntries(retained)
}

/** The names of the types that a schema allows; `undefined` for any type. */
export function typesOf({ type }: JsonObject): readonly string[] | undefined {
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter((name) => typeof name === 'string') : undefined
}

/** Returns whether the schema is about objects: it says so, or it names properties. */
export function isObjectSchema(schema: JsonObject): boolean {
  return typesOf(schema)?.includes('object') ?? isObject(schema.properties)
}
