import type { RootRule } from '../canonical/schema-dialect.ts'
import { isObject, type JsonObject, listOf } from '../json/value.ts'
import { conjunction } from './conjunction.ts'
import type { Fitting } from './fitting.ts'
import { isAnnotation, typesOf, without } from './keywords.ts'
import { wrapSchema } from './wrapped-value.ts'

interface RootFit {
  readonly schema: JsonObject
  readonly isWrapped: boolean
}

/**
 * The outermost schema as the target wants it: that of an object, without alternatives. What would mean something else so
 * becomes the only property of an object.
 */
export function fitRoot(schema: JsonObject, fitting: Fitting): RootFit {
  const rule = fitting.dialect.root
  if (rule === undefined) return { schema, isWrapped: false }
  const plain = objectOf(merged(followed(schema, fitting), rule, fitting), fitting)
  return plain === undefined || refusedIn(plain, rule).length > 0
    ? { schema: wrapSchema(schema), isWrapped: true }
    : { schema: plain, isWrapped: false }
}

const maxFollowed = 8

/** Returns what a schema that is nothing but a reference refers to, with the definitions that it needs. */
function followed(schema: JsonObject, fitting: Fitting): JsonObject {
  let found = schema
  for (let step = 0; typeof found.$ref === 'string' && step < maxFollowed; step++) {
    const target = fitting.references.resolve(found.$ref)
    const own = without(found, ['$ref'])
    if (target === undefined || !isAnnotation(own) || '$defs' in target || 'definitions' in target)
      return found
    found = { ...target, ...own }
  }
  return found
}

function refusedIn(schema: JsonObject, { without: refused }: RootRule): readonly string[] {
  return Object.keys(schema).filter((key) => refused.has(key) || key === '$ref')
}

/** Returns it without keywords that are refused, where one schema says the same as several. */
function merged(schema: JsonObject, rule: RootRule, fitting: Fitting): JsonObject {
  const refused = refusedIn(schema, rule)
  const [key = '', ...others] = refused
  const parts = listOf(schema[key])
  if (others.length > 0 || (key !== 'allOf' && parts.length !== 1)) return schema
  if (!['allOf', 'anyOf', 'oneOf'].includes(key)) return schema
  const inline = (reference: string) => fitting.inline(reference)
  return conjunction([without(schema, [key]), ...parts], inline) ?? schema
}

/** The schema as one of objects; `undefined` for one of other values. */
function objectOf(schema: JsonObject, fitting: Fitting): JsonObject | undefined {
  if (schema.type === 'object') return schema
  const types = typesOf(schema)
  if (types === undefined) return mayBeOther(schema) ? undefined : { type: 'object', ...schema }
  if (!types.includes('object') || types.some((type) => type !== 'object' && type !== 'null'))
    return undefined
  if (types.includes('null')) fitting.lose('type', '')
  return { ...schema, type: 'object' }
}

/** Returns it without a type: what is said of lists or values alone. */
function mayBeOther(schema: JsonObject): boolean {
  return (
    ['items', 'prefixItems', 'enum', 'const'].some((key) => key in schema) && !isObject(schema.properties)
  )
}

/** Leaves out keywords that may not stand at the root, where a target takes a few alone. */
export function trimRoot(schema: JsonObject, fitting: Fitting): JsonObject {
  const only = fitting.dialect.root?.only
  if (only === undefined) return schema
  const beyond = Object.keys(schema).filter((key) => !only.has(key))
  const trimmed = without(schema, beyond)
  for (const key of beyond) if (!isAnnotation({ [key]: true })) fitting.lose(key, '')
  return trimmed
}
