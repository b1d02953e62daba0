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
type Check = (said: unknown, value: unknown, inner: Inner, schema: JsonObject, root: unknown) => boolean

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

function named(said: unknown, value: unknown, inner: Inner): boolean {
  if (!isObject(value)) return true
  return Object.entries(objectOf(said)).every(
    ([name, each]) => !Object.hasOwn(value, name) || inner(each, value[name]),
  )
}

function additional(said: unknown, value: unknown, inner: Inner, schema: JsonObject): boolean {
  if (!isObject(value)) return true
  const known = Object.keys(objectOf(schema.properties))
  const patterns = Object.keys(objectOf(schema.patternProperties)).map((pattern) => new RegExp(pattern))
  return Object.entries(value)
    .filter(([name]) => !known.includes(name) && !patterns.some((pattern) => pattern.test(name)))
    .every(([, part]) => inner(said, part))
}

function matching(said: unknown, value: unknown, inner: Inner): boolean {
  if (!isObject(value)) return true
  return Object.entries(objectOf(said)).every(([pattern, each]) =>
    Object.entries(value).every(([name, part]) => !new RegExp(pattern).test(name) || inner(each, part)),
  )
}

function pointed(said: unknown, root: unknown): unknown {
  const steps = String(said).split('/').slice(1)
  return steps.reduce<unknown>(
    (found, step) => (found as JsonObject | undefined)?.[step.replaceAll('~1', '/')],
    root,
  )
}

const size = (value: unknown) =>
  isText(value) || Array.isArray(value) ? value.length : Object.keys(objectOf(value)).length
const least =
  (isOf: (value: unknown) => boolean): Check =>
  (said, value) =>
    !isOf(value) || size(value) >= Number(said)
const most =
  (isOf: (value: unknown) => boolean): Check =>
  (said, value) =>
    !isOf(value) || size(value) <= Number(said)

const checks: Readonly<Record<string, Check>> = {
  $ref: (said, value, inner, _, root) => inner(pointed(said, root), value),
  type: (said, value) => [said].flat().some((name) => types[String(name)]?.(value) ?? false),
  enum: (said, value) => listOf(said).some((each) => isSame(each, value)),
  const: (said, value) => isSame(said, value),
  properties: named,
  patternProperties: matching,
  additionalProperties: additional,
  required: (said, value) =>
    !isObject(value) || listOf(said).every((name) => Object.hasOwn(value, String(name))),
  prefixItems: (said, value, inner) =>
    !Array.isArray(value) ||
    listOf(said).every((each, place) => place >= value.length || inner(each, value[place])),
  items: (said, value, inner, { prefixItems }) =>
    !Array.isArray(value) || value.slice(listOf(prefixItems).length).every((part) => inner(said, part)),
  anyOf: (said, value, inner) => listOf(said).some((each) => inner(each, value)),
  oneOf: (said, value, inner) => listOf(said).filter((each) => inner(each, value)).length === 1,
  allOf: (said, value, inner) => listOf(said).every((each) => inner(each, value)),
  not: (said, value, inner) => !inner(said, value),
  minimum: (said, value) => !isNumber(value) || value >= Number(said),
  maximum: (said, value) => !isNumber(value) || value <= Number(said),
  exclusiveMinimum: (said, value) => !isNumber(value) || value > Number(said),
  exclusiveMaximum: (said, value) => !isNumber(value) || value < Number(said),
  multipleOf: (said, value) => !isNumber(value) || value % Number(said) === 0,
  minLength: least(isText),
  maxLength: most(isText),
  minItems: least(Array.isArray),
  maxItems: most(Array.isArray),
  minProperties: least(isObject),
  maxProperties: most(isObject),
  uniqueItems: (said, value) =>
    said !== true ||
    !Array.isArray(value) ||
    new Set(value.map((part) => JSON.stringify(part))).size === value.length,
  pattern: (said, value) => !isText(value) || new RegExp(String(said)).test(value),
  format: (said, value) => said !== 'uuid' || !isText(value) || value.length === 36,
}
