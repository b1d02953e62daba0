import type { SchemaDialect } from '../canonical/schema-dialect.ts'
import { isObject, type JsonObject, objectOf } from '../json/value.ts'
import { mapSchemas, without } from './keywords.ts'
import { readReferences } from './references.ts'

const newer = '#/$defs/'
const older = '#/definitions/'

/** The schema with its definitions where the target looks for them; the same object when they are there. */
export function withDefinitions(schema: JsonObject, dialect: SchemaDialect): JsonObject {
  const renamed = readsOlder(dialect) ? schema : withNewerName(schema)
  return dialect.definitions === undefined ? renamed : withAllDefined(renamed)
}

function readsOlder({ keywords, definitions }: SchemaDialect): boolean {
  return definitions === undefined && (keywords === undefined || keywords.has('definitions'))
}

function withNewerName(schema: JsonObject): JsonObject {
  const { definitions, $defs, ...own } = schema
  if (!isObject(definitions) || $defs !== undefined) return schema
  const named = (reference: string) =>
    reference.startsWith(older) ? newer + reference.slice(older.length) : reference
  return withReferences({ ...own, $defs: definitions }, named)
}

/** Gives targets outside the definitions one of their own. */
function withAllDefined(schema: JsonObject): JsonObject {
  const names = new Map<string, string>()
  const $defs = objectOf(schema.$defs)
  const named = (reference: string) => {
    if (!reference.startsWith('#') || reference.startsWith(newer)) return reference
    const name = names.get(reference) ?? freeName($defs, names.size)
    names.set(reference, name)
    return newer + name
  }
  const renamed = withReferences(schema, named)
  if (names.size === 0) return schema
  const { resolve } = readReferences(schema)
  const added = [...names].map(([reference, name]) => {
    const target = without(resolve(reference) ?? {}, reference === '#' ? ['$defs'] : [])
    return [name, withReferences(target, named)] as const
  })
  return { ...renamed, $defs: { ...objectOf(renamed.$defs), ...Object.fromEntries(added) } }
}

function freeName($defs: JsonObject, number: number): string {
  let name = `schema${number}`
  while (Object.hasOwn($defs, name)) name = `_${name}`
  return name
}

function withReferences(schema: JsonObject, named: (reference: string) => string): JsonObject {
  const renamed = (inner: unknown): unknown => (isObject(inner) ? withReferences(inner, named) : inner)
  const mapped = mapSchemas(schema, '', renamed)
  const { $ref } = mapped
  if (typeof $ref !== 'string' || named($ref) === $ref) return mapped
  return { ...mapped, $ref: named($ref) }
}
