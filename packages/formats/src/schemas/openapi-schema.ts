import { isObject, type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'
import { without } from './keywords.ts'

/**
 * A JSON Schema of the keywords that the service's own language has, in that language: a type of null becomes `nullable`,
 * and nothing stands beside `anyOf`. https://ai.google.dev/api/caching#Schema
 * @param schema without references, constants and lists of types
 * @param lost takes keywords whose meaning changes
 */
export function openApiSchema(schema: JsonObject, lost: Set<string>): JsonObject {
  const { anyOf, ...base } = schema
  return Array.isArray(anyOf) ? alternatives(anyOf, base, lost) : single(schema, lost)
}

function alternatives(branches: readonly unknown[], base: JsonObject, lost: Set<string>): JsonObject {
  const values = branches.map(objectOf).filter((branch) => branch.type !== 'null')
  const flat = values
    .map((branch) => openApiSchema({ ...base, ...branch }, lost))
    .flatMap((branch) => (Array.isArray(branch.anyOf) ? branch.anyOf.map(objectOf) : [branch]))
  const marked = values.length < branches.length ? flat.map((each) => ({ ...each, nullable: true })) : flat
  const [only, ...others] = marked
  if (only === undefined) return single({ ...base, type: 'null' }, lost)
  return others.length === 0 ? only : { anyOf: marked }
}

function single(schema: JsonObject, lost: Set<string>): JsonObject {
  const type = textOf(schema.type) || impliedType(schema)
  if (type === 'null') {
    lost.add('type')
    return single({ ...schema, type: 'string', nullable: true }, lost)
  }
  const typed = type === '' ? schema : ofType(type, schema)
  if (type === 'array') return listSchema(typed, lost)
  return type === 'object' ? objectSchema(typed, lost) : withValues(typed, lost)
}

const texts = ['minLength', 'maxLength', 'pattern', 'enum'] as const
const numbers = ['minimum', 'maximum'] as const
/** "only allowed for OBJECT type": a keyword of another type says nothing, and is refused. */
const keywords: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['string', new Set([...texts, 'format'])],
  ['number', new Set([...numbers, 'format'])],
  ['integer', new Set([...numbers, 'format'])],
  ['boolean', new Set()],
  ['array', new Set(['items', 'minItems', 'maxItems'])],
  ['object', new Set(['properties', 'required', 'propertyOrdering', 'minProperties', 'maxProperties'])],
])
const always: ReadonlySet<string> = new Set(['type', 'description', 'nullable'])
const textFormats: ReadonlySet<string> = new Set(['date-time', 'enum'])

function ofType(type: string, schema: JsonObject): JsonObject {
  const own = keywords.get(type)
  const isOther = (key: string) => own !== undefined && !own.has(key) && !always.has(key)
  const isOtherFormat =
    schema.format !== undefined && textFormats.has(textOf(schema.format)) !== (type === 'string')
  const others = Object.keys(schema).filter((key) => isOther(key) || (key === 'format' && isOtherFormat))
  return { type, ...without(schema, others) }
}

function impliedType({ properties, items, enum: values }: JsonObject): string {
  if (isObject(properties)) return 'object'
  return items === undefined ? (Array.isArray(values) ? 'string' : '') : 'array'
}

/** Writes the schema of a list, which must have one for its items. */
function listSchema(schema: JsonObject, lost: Set<string>): JsonObject {
  const items = openApiSchema(objectOf(schema.items), lost)
  if (Object.keys(items).length > 0) return { ...schema, items }
  lost.add('items')
  return { ...schema, items: { type: 'string' } }
}

/** Names that are required, and their order, are those of properties alone. */
function objectSchema(schema: JsonObject, lost: Set<string>): JsonObject {
  const properties = Object.entries(objectOf(schema.properties)).map(
    ([name, inner]) => [name, openApiSchema(objectOf(inner), lost)] as const,
  )
  const own = without(schema, ['properties', 'required', 'propertyOrdering'])
  if (properties.length === 0) return own
  const known = (list: unknown) => listOf(list).filter((name) => properties.some(([each]) => each === name))
  const [required, propertyOrdering] = [known(schema.required), known(schema.propertyOrdering)]
  return {
    ...own,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(propertyOrdering.length > 0 && { propertyOrdering }),
  }
}

/** Leaves out empty choices, which no schema may have. */
function withValues(schema: JsonObject, lost: Set<string>): JsonObject {
  if (!Array.isArray(schema.enum)) return schema
  const named = schema.enum.filter((value) => value !== '')
  if (named.length === schema.enum.length) return schema
  lost.add('enum')
  return named.length === 0 ? without(schema, ['enum']) : { ...schema, enum: named }
}
