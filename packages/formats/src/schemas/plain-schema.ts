import type { SchemaDialect } from '../canonical/schema-dialect.ts'
import { isObject, type JsonObject } from '../json/value.ts'

/** Deeper schemas are not plain. */
const maxDepth = 32

/** Keywords that hold no schema, and that no step changes where the target reads them. */
const simple: ReadonlySet<string> = new Set([
  '$schema',
  'title',
  'description',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'format',
])

/**
 * Finds in one pass the schema that most tools have: of an object, of named types, lists with their items and objects with
 * their properties. A target that asks for nothing else reads it as it is, and no step has to look at it.
 * @returns false where a step might change it, too
 */
export function isReadPlain(schema: JsonObject, dialect: SchemaDialect): boolean {
  return schema.type === 'object' && takesPlain(dialect) && isPlain(schema, dialect, 0)
}

const known = new WeakMap<SchemaDialect, boolean>()

/** Returns whether a dialect asks nothing of plain schemas that they may lack. */
function takesPlain(dialect: SchemaDialect): boolean {
  const taken = known.get(dialect)
  if (taken !== undefined) return taken
  const { language, closed, freeObjects, allRequired, limits, shared, formats, bounds, root } = dialect
  const demands = [language, closed, freeObjects, allRequired, limits, shared, formats, bounds, root?.only]
  const takes = demands.every((column) => column === undefined) && takesTexts(dialect)
  known.set(dialect, takes)
  return takes
}

function takesTexts({ enumTypes }: SchemaDialect): boolean {
  return enumTypes === undefined || enumTypes.has('string')
}

function isPlain(schema: unknown, dialect: SchemaDialect, depth: number): boolean {
  if (!isObject(schema) || typeof schema.type !== 'string' || depth > maxDepth) return false
  if (schema.type === 'object' && !isObject(schema.properties)) return false
  if (schema.type === 'array' && schema.items === undefined) return false
  for (const key in schema) if (!isPlainMember(key, schema, dialect, depth)) return false
  return true
}

function isPlainMember(key: string, schema: JsonObject, dialect: SchemaDialect, depth: number): boolean {
  const value = schema[key]
  const { keywords } = dialect
  if (keywords !== undefined && !keywords.has(key)) return false
  if (key === 'type' || simple.has(key)) return true
  if (key === 'properties') return arePlain(value, dialect, depth + 1)
  if (key === 'items') return isPlain(value, dialect, depth + 1)
  if (key === 'required') return areNamed(value, schema.properties)
  if (key === 'enum') return schema.type === 'string' && areTexts(value)
  return key === 'additionalProperties' && typeof value === 'boolean'
}

function arePlain(schemas: unknown, dialect: SchemaDialect, depth: number): boolean {
  if (!isObject(schemas)) return false
  for (const name in schemas) if (!isPlain(schemas[name], dialect, depth)) return false
  return true
}

function areNamed(required: unknown, properties: unknown): boolean {
  if (!Array.isArray(required) || !isObject(properties)) return false
  for (const name of required) if (typeof name !== 'string' || !Object.hasOwn(properties, name)) return false
  return true
}

function areTexts(values: unknown): boolean {
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string')
}
