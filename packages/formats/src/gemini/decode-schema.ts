import type { JsonSchema } from '../canonical/request.ts'
import { isObject, type JsonObject, listOf } from '../json-value.ts'
import { camelCase } from './fields.ts'

/**
 * The format's own schema language, a part of OpenAPI 3.0, as JSON Schema: types in lower case, `nullable` as a type,
 * counts that were texts as numbers. What only Gemini reads is left out, other members stay as they are.
 */
export function jsonSchemaOf(schema: JsonObject): JsonSchema {
  const out = new Map<string, unknown>()
  for (const [key, value] of Object.entries(schema)) {
    const name = camelCase(key)
    if (value === null || geminiOnly.has(name)) continue
    out.set(name, readMember(name, value))
  }
  const plain = Object.fromEntries(out)
  return schema.nullable === true ? nullable(plain) : plain
}

const geminiOnly: ReadonlySet<string> = new Set(['nullable', 'propertyOrdering'])
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
  if (counts.has(name) && typeof value === 'string') return Number(value)
  if (single.has(name)) return schemaOrSame(value)
  if (several.has(name)) return listOf(value).map(schemaOrSame)
  if (!named.has(name) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, schemaOrSame(item)]))
}

function schemaOrSame(value: unknown): unknown {
  return isObject(value) ? jsonSchemaOf(value) : value
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] }
  return Array.isArray(anyOf) ? { ...schema, anyOf: [...anyOf, { type: 'null' }] } : schema
}
