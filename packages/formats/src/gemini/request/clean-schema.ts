import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { unsupported } from '../fields.ts'

/** What a reference inside a schema points at (`#/$defs/Name`, `#`); an empty schema when there is nothing. */
function resolveReference(root: JsonObject, reference: string): JsonObject {
  if (!reference.startsWith('#')) return {}
  let found: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const name = unescaped(step)
    const holder: JsonObject = isObject(found) || Array.isArray(found) ? { ...found } : {}
    found = Object.hasOwn(holder, name) ? holder[name] : undefined
  }
  return isObject(found) ? found : {}
}

/** A step of a JSON pointer. https://www.rfc-editor.org/rfc/rfc6901#section-4 */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** One schema that asks what all of them ask: properties and required names together, of other members the last. */
function mergeSchemas(schemas: readonly JsonObject[]): JsonObject {
  let merged: JsonObject = {}
  for (const schema of schemas) merged = mergeTwo(merged, schema)
  return merged
}

function mergeTwo(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first, ...second }
  const properties = isObject(first.properties) && isObject(second.properties)
  const required = Array.isArray(first.required) && Array.isArray(second.required)
  const allOf = Array.isArray(first.allOf) && Array.isArray(second.allOf)
  return {
    ...merged,
    ...(properties && { properties: { ...objectOf(first.properties), ...objectOf(second.properties) } }),
    ...(required && { required: [...new Set([...listOf(first.required), ...listOf(second.required)])] }),
    ...(allOf && { allOf: [...listOf(first.allOf), ...listOf(second.allOf)] }),
  }
}

/** Schemas with references can grow without end when these are replaced by what they point at. */
const maxNodes = 5000
const maxDepth = 100

interface Cleaning {
  readonly root: JsonObject
  /** The schema's path in the request, for a fault. */
  readonly path: string
  nodes: number
  depth: number
}

/**
 * A JSON Schema as the service's own schema language, which knows a part of it: references are replaced by their
 * targets, `oneOf` becomes `anyOf`, a type of null becomes `nullable`, and words that the service refuses are left out.
 * https://ai.google.dev/api/caching#Schema
 * @throws RequestFault for a schema that is too large once its references are replaced
 */
export function cleanSchema(schema: JsonObject, path: string): JsonObject {
  return clean(schema, [], { root: schema, path, nodes: 0, depth: 0 })
}

/** Parameters of a function: an object with properties, or nothing for a function without any, whose type is refused. */
export function cleanParameters(schema: JsonObject, path: string): JsonObject | undefined {
  const cleaned = cleanSchema(schema, path)
  const complete = Array.isArray(cleaned.anyOf) ? unionOf(cleaned.anyOf.filter(isObject)) : cleaned
  return isObject(complete.properties) ? { ...complete, type: 'object' } : undefined
}

/** The service takes no alternatives at the root: all their properties together, and required what all of them require. */
function unionOf(branches: readonly JsonObject[]): JsonObject {
  const properties = new Map<string, JsonObject>()
  for (const [name, property] of branches.flatMap((branch) => Object.entries(objectOf(branch.properties)))) {
    const known = properties.get(name)
    properties.set(name, known === undefined ? objectOf(property) : eitherOf(known, objectOf(property)))
  }
  const [first, ...others] = branches.map((branch) => listOf(branch.required))
  const required = (first ?? []).filter((name) => others.every((names) => names.includes(name)))
  if (properties.size === 0) return {}
  return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}

/** Merges a property that two alternatives declare. A discriminator is mostly a constant: collects its values. */
function eitherOf(one: JsonObject, other: JsonObject): JsonObject {
  if (Array.isArray(one.enum) && Array.isArray(other.enum))
    return { ...one, enum: [...new Set([...listOf(one.enum), ...listOf(other.enum)])] }
  if (JSON.stringify(one) === JSON.stringify(other)) return one
  const alternatives = [one, other].flatMap((schema) =>
    schema.anyOf === undefined ? [schema] : listOf(schema.anyOf),
  )
  return { anyOf: alternatives }
}

/** @param open references that are being replaced: one that points back into itself is any object */
function clean(schema: unknown, open: readonly string[], cleaning: Cleaning): JsonObject {
  if (++cleaning.nodes > maxNodes || ++cleaning.depth > maxDepth)
    throw unsupported(cleaning.path, 'its references make it too large for Gemini')
  const cleaned = isObject(schema) ? cleanComposed(schema, open, cleaning) : {}
  cleaning.depth--
  return cleaned
}

function cleanComposed(schema: JsonObject, open: readonly string[], cleaning: Cleaning): JsonObject {
  const { $ref, allOf, ...siblings } = schema
  const reference = textOf($ref)
  const parts = listOf(allOf)
  if (reference === '' && parts.length === 0) return cleanAlternatives(schema, open, cleaning)
  if (open.includes(reference)) return { type: 'object', ...described(schema) }
  const followed: string[] = []
  const all = [...(reference === '' ? [] : [{ $ref }]), ...parts].map((part) =>
    expanded(part, open, cleaning.root, followed),
  )
  return clean(mergeSchemas([...all, siblings]), [...open, ...followed], cleaning)
}

/** What is merged must not hold a reference any more; one that points back into itself asks for nothing. */
function expanded(
  schema: unknown,
  open: readonly string[],
  root: JsonObject,
  followed: string[],
): JsonObject {
  if (!isObject(schema)) return {}
  const { $ref, ...siblings } = schema
  const reference = textOf($ref)
  if (reference === '') return schema
  if (open.includes(reference) || open.length > maxDepth) return siblings
  followed.push(reference)
  const target = expanded(resolveReference(root, reference), [...open, reference], root, followed)
  return mergeSchemas([target, siblings])
}

/** Several types are alternatives as well. */
function cleanAlternatives(schema: JsonObject, open: readonly string[], cleaning: Cleaning): JsonObject {
  const { anyOf, oneOf, type, ...base } = schema
  const branches = alternativesOf(schema)
  if (branches === undefined) return cleanOne(schema, open, cleaning)
  const kept = branches.filter((branch) => !isNull(branch))
  const nullable = kept.length < branches.length
  const shared = Array.isArray(type) || type === undefined ? base : { ...base, type }
  // The service refuses other members beside anyOf.
  const cleaned = kept.map((branch) => clean(mergeBranch(shared, branch), open, cleaning))
  const flat = cleaned.flatMap((branch) =>
    Array.isArray(branch.anyOf) ? branch.anyOf.map(objectOf) : [branch],
  )
  const marked = nullable ? flat.map((branch) => ({ ...branch, nullable: true })) : flat
  const [only, ...others] = marked
  if (only === undefined) return nothingButNull
  return others.length === 0 ? only : { anyOf: marked }
}

const nothingButNull: JsonObject = { type: 'string', nullable: true }

function alternativesOf({ anyOf, oneOf, type }: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(anyOf) && anyOf.length > 0) return anyOf
  if (Array.isArray(oneOf) && oneOf.length > 0) return oneOf
  return Array.isArray(type) && type.length > 0 ? type.map((name: unknown) => ({ type: name })) : undefined
}

function mergeBranch(shared: JsonObject, branch: unknown): JsonObject {
  return isObject(branch) ? mergeSchemas([shared, branch]) : shared
}

function isNull(branch: unknown): boolean {
  return isObject(branch) && (branch.type === 'null' || ('const' in branch && branch.const === null))
}

function cleanOne(schema: JsonObject, open: readonly string[], cleaning: Cleaning): JsonObject {
  const type = textOf(schema.type) || impliedType(schema)
  if (type === 'null') return { ...nothingButNull, ...described(schema) }
  const shape = shapes.get(type.toLowerCase())
  return {
    ...(type !== '' && { type }),
    ...described(schema),
    ...kept(schema, ['nullable']),
    ...shape?.(schema, open, cleaning),
    ...enumOf(schema, type),
  }
}

function impliedType(schema: JsonObject): string {
  if (isObject(schema.properties)) return 'object'
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array'
  return textsOnly(valuesOf(schema)).length > 0 ? 'string' : ''
}

type Shape = (schema: JsonObject, open: readonly string[], cleaning: Cleaning) => JsonObject

const numberShape: Shape = (schema) => ({
  ...kept(schema, ['minimum', 'maximum']),
  ...formatOf(schema, ['float', 'double', 'int32', 'int64']),
})

const stringShape: Shape = (schema) => ({
  ...kept(schema, ['minLength', 'maxLength', 'pattern']),
  ...formatOf(schema, ['enum', 'date-time']),
})

const shapes: ReadonlyMap<string, Shape> = new Map([
  ['object', objectShape],
  ['array', arrayShape],
  ['string', stringShape],
  ['number', numberShape],
  ['integer', numberShape],
])

function objectShape(schema: JsonObject, open: readonly string[], cleaning: Cleaning): JsonObject {
  if (!isObject(schema.properties)) return {}
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => [name, clean(property, open, cleaning)] as const,
  )
  if (properties.length === 0) return {}
  const names = new Set(properties.map(([name]) => name))
  const known = (list: unknown) => textsOnly(listOf(list)).filter((name) => names.has(name))
  const required = known(schema.required)
  const ordering = known(schema.propertyOrdering)
  return {
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(ordering.length > 0 && { propertyOrdering: ordering }),
    ...kept(schema, ['minProperties', 'maxProperties']),
  }
}

function arrayShape(schema: JsonObject, open: readonly string[], cleaning: Cleaning): JsonObject {
  const [first] = [...listOf(schema.prefixItems), ...listOf(schema.items)]
  const items = clean(isObject(schema.items) ? schema.items : first, open, cleaning)
  return {
    items: Object.keys(items).length === 0 ? { type: 'string' } : items,
    ...kept(schema, ['minItems', 'maxItems']),
  }
}

/** An enumeration may contain non-empty texts only. */
function enumOf(schema: JsonObject, type: string): JsonObject {
  const values = valuesOf(schema)
  const texts = textsOnly(values)
  const named = texts.filter((text) => text !== '')
  if (type.toLowerCase() !== 'string' || named.length === 0) return {}
  return { enum: named, ...(values.includes(null) && { nullable: true }) }
}

function valuesOf(schema: JsonObject): readonly unknown[] {
  return 'const' in schema ? [schema.const] : listOf(schema.enum)
}

function textsOnly(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string')
}

function described(schema: JsonObject): JsonObject {
  return typeof schema.description === 'string' ? { description: schema.description } : {}
}

function formatOf({ format }: JsonObject, allowed: readonly string[]): JsonObject {
  return typeof format === 'string' && allowed.includes(format) ? { format } : {}
}

function kept(schema: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => isKept(schema[name])).map((name) => [name, schema[name]]))
}

function isKept(value: unknown): boolean {
  return value === true || typeof value === 'number' || typeof value === 'string'
}
