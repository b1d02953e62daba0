import { isObject, type JsonObject, listOf, objectOf } from '../../json/value.ts'

/** Returns whether a value fits a JSON Schema, for tests: the keywords that they use, and those that dialects rewrite them to. */
export function isValid(schema: unknown, value: unknown, root: unknown = schema): boolean {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) return true
  const inner = (each: unknown, part: unknown) => isValid(each, part, root)
  return Object.entries(checks).every(
    ([key, check]) => !(key in schema) || check(schema[key], value, inner, schema, root),
  )
}

type Inner = (schema: unknown, value: unknown) => boolean
type Check = (stated: unknown, value: unknown, inner: Inner, schema: JsonObject, root: unknown) => boolean

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isText = (value: unknown): value is string => typeof value === 'string'

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: isText,
  number: isNumber,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

function named(stated: unknown, value: unknown, inner: Inner): boolean {
  if (!isObject(value)) return true
  return Object.entries(objectOf(stated)).every(
    ([name, each]) => !Object.hasOwn(value, name) || inner(each, value[name]),
  )
}

function additional(stated: unknown, value: unknown, inner: Inner, schema: JsonObject): boolean {
  if (!isObject(value)) return true
  const known = Object.keys(objectOf(schema.properties))
  const patterns = Object.keys(objectOf(schema.patternProperties)).map((pattern) => new RegExp(pattern))
  return Object.entries(value)
    .filter(([name]) => !known.includes(name) && !patterns.some((pattern) => pattern.test(name)))
    .every(([, part]) => inner(stated, part))
}

function matching(stated: unknown, value: unknown, inner: Inner): boolean {
  if (!isObject(value)) return true
  return Object.entries(objectOf(stated)).every(([pattern, each]) =>
    Object.entries(value).every(([name, part]) => !new RegExp(pattern).test(name) || inner(each, part)),
  )
}

function pointed(stated: unknown, root: unknown): unknown {
  const steps = String(stated).split('/').slice(1)
  return steps.reduce<unknown>(
    (found, step) => (found as JsonObject | undefined)?.[step.replaceAll('~1', '/')],
    root,
  )
}

const size = (value: unknown) =>
  isText(value) || Array.isArray(value) ? value.length : Object.keys(objectOf(value)).length
const min =
  (isOf: (value: unknown) => boolean): Check =>
  (stated, value) =>
    !isOf(value) || size(value) >= Number(stated)
const max =
  (isOf: (value: unknown) => boolean): Check =>
  (stated, value) =>
    !isOf(value) || size(value) <= Number(stated)

const checks: Readonly<Record<string, Check>> = {
  $ref: (stated, value, inner, _, root) => inner(pointed(stated, root), value),
  type: (stated, value) => [stated].flat().some((name) => types[String(name)]?.(value) ?? false),
  enum: (stated, value) => listOf(stated).some((each) => isSame(each, value)),
  const: (stated, value) => isSame(stated, value),
  properties: named,
  patternProperties: matching,
  additionalProperties: additional,
  required: (stated, value) =>
    !isObject(value) || listOf(stated).every((name) => Object.hasOwn(value, String(name))),
  prefixItems: (stated, value, inner) =>
    !Array.isArray(value) ||
    listOf(stated).every((each, index) => index >= value.length || inner(each, value[index])),
  items: (stated, value, inner, { prefixItems }) =>
    !Array.isArray(value) || value.slice(listOf(prefixItems).length).every((part) => inner(stated, part)),
  anyOf: (stated, value, inner) => listOf(stated).some((each) => inner(each, value)),
  oneOf: (stated, value, inner) => listOf(stated).filter((each) => inner(each, value)).length === 1,
  allOf: (stated, value, inner) => listOf(stated).every((each) => inner(each, value)),
  not: (stated, value, inner) => !inner(stated, value),
  minimum: (stated, value) => !isNumber(value) || value >= Number(stated),
  maximum: (stated, value) => !isNumber(value) || value <= Number(stated),
  exclusiveMinimum: (stated, value) => !isNumber(value) || value > Number(stated),
  exclusiveMaximum: (stated, value) => !isNumber(value) || value < Number(stated),
  multipleOf: (stated, value) => !isNumber(value) || value % Number(stated) === 0,
  minLength: min(isText),
  maxLength: max(isText),
  minItems: min(Array.isArray),
  maxItems: max(Array.isArray),
  minProperties: min(isObject),
  maxProperties: max(isObject),
  uniqueItems: (stated, value) =>
    stated !== true ||
    !Array.isArray(value) ||
    new Set(value.map((part) => JSON.stringify(part))).size === value.length,
  pattern: (stated, value) => !isText(value) || new RegExp(String(stated)).test(value),
  format: (stated, value) => stated !== 'uuid' || !isText(value) || value.length === 36,
}
