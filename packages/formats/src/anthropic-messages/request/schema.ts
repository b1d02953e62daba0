import type { JsonSchema } from '../../canonical/request.ts'
import { isObject, type JsonObject } from '../../json/value.ts'

/** Bounds that structured output refuses: they become words, which the model heeds nearly always. */
const refused: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'propertyNames',
  'contains',
])

/** Members that hold a schema, a list of schemas, or schemas by name. */
const holdsSchema: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
])
const holdsList: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const holdsNamed: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])

/**
 * The schema as structured output takes it: objects are closed, the description states the bounds, `oneOf` is `anyOf`.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
export function strictSchema(schema: JsonSchema): JsonSchema {
  const out: Record<string, unknown> = {}
  const bounds: string[] = []
  for (const [name, value] of Object.entries(schema)) {
    if (name === '$schema') continue
    // One item at least is the only bound that is taken.
    const taken = name === 'minItems' && (value === 0 || value === 1)
    if (refused.has(name) && !taken) bounds.push(`${name}: ${JSON.stringify(value)}`)
    else out[name === 'oneOf' ? 'anyOf' : name] = strictMember(name, value)
  }
  if (isObjectSchema(schema)) out.additionalProperties = false
  if (bounds.length > 0)
    out.description = [schema.description, `{${bounds.join(', ')}}`]
      .filter((line) => typeof line === 'string')
      .join('\n')
  return out
}

function strictMember(name: string, value: unknown): unknown {
  if (holdsSchema.has(name)) return strictIfSchema(value)
  if (holdsList.has(name) && Array.isArray(value)) return value.map(strictIfSchema)
  if (holdsNamed.has(name) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, strictIfSchema(inner)]))
  return value
}

function strictIfSchema(value: unknown): unknown {
  return isObject(value) ? strictSchema(value) : value
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || isObject(properties)
}

/** A schema of arguments: an object, also when nothing is said of it. */
export function argumentsSchema(schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema === undefined) return { type: 'object', properties: {} }
  if (schema.type === 'object') return schema
  return schema.type === undefined ? { type: 'object', ...schema } : undefined
}
