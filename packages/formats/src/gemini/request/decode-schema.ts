import type { JsonSchema } from '../../canonical/request.ts'
import { camelCase } from '../../json/camel-case.ts'
import { parseExactJson } from '../../json/exact-json.ts'
import { isObject, type JsonObject, listOf } from '../../json/value.ts'

/**
 * The format's own schema language, a part of OpenAPI 3.0, as JSON Schema: types in lower case, `nullable` as a type, counts
 * that were texts as numbers, properties in the order that `propertyOrdering` wants. Other members stay as they are.
 * https://ai.google.dev/api/caching#Schema
 */
export function jsonSchemaOf(schema: JsonObject): JsonSchema {
  const out = new Map<string, unknown>()
  for (const [key, value] of Object.entries(schema)) {
    const name = camelCase(key)
    if (value === null || ownOnly.has(name) || value === unspecified) continue
    out.set(plainNames.get(name) ?? name, readMember(name, value))
  }
  const plain = inOrder(Object.fromEntries(out), schema.propertyOrdering ?? schema.property_ordering)
  return schema.nullable === true ? nullable(plain) : plain
}

const unspecified = 'TYPE_UNSPECIFIED'
const ownOnly: ReadonlySet<string> = new Set(['nullable', 'propertyOrdering'])
/** Vertex AI's names of members that JSON Schema spells otherwise. */
const plainNames: ReadonlyMap<string, string> = new Map([
  ['defs', '$defs'],
  ['ref', '$ref'],
])
const counts: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])
const single: ReadonlySet<string> = new Set(['items', 'additionalProperties'])
const several: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'defs'])

function readMember(name: string, value: unknown): unknown {
  if (name === 'type' && typeof value === 'string') return value.toLowerCase()
  if (name === 'ref' && typeof value === 'string') return value.replace(/^#\/defs\//, '#/$defs/')
  if (counts.has(name) && typeof value === 'string') return parseExactJson(value) ?? Number(value)
  if (single.has(name)) return schemaOrSame(value)
  if (several.has(name)) return listOf(value).map(schemaOrSame)
  if (!named.has(name) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, schemaOrSame(item)]))
}

function schemaOrSame(value: unknown): unknown {
  return isObject(value) ? jsonSchemaOf(value) : value
}

/** Other vendors write properties in the order of the schema. */
function inOrder(schema: JsonSchema, ordering: unknown): JsonSchema {
  const { properties } = schema
  if (!isObject(properties) || !Array.isArray(ordering)) return schema
  const first = ordering.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name))
  const entries = [...new Set([...first, ...Object.keys(properties)])].map((name) => [name, properties[name]])
  return { ...schema, properties: Object.fromEntries(entries) }
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type, anyOf, enum: values } = schema
  const listed = Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}
  if (typeof type === 'string') return { ...schema, type: [type, 'null'], ...listed }
  return Array.isArray(anyOf) ? { ...schema, anyOf: [...anyOf, { type: 'null' }] } : { ...schema, ...listed }
}
