import type { JsonSchema } from '../../../packages/api/src/openapi/index.ts'
import type { ConsoleContract } from './console-calls.ts'

/** A value for a field, by its name; `undefined` leaves it to its schema. */
export type Hint = (name: string, schema: JsonSchema) => unknown

type Resolve = ConsoleContract['resolve']

/** Shape of one field, references followed, the first of several ones that is not null. */
export function shapeOf(resolve: Resolve, schema: JsonSchema): JsonSchema {
  const resolved = resolve(schema)
  const choices = (resolved['anyOf'] ?? resolved['oneOf']) as readonly JsonSchema[] | undefined
  if (choices === undefined) return resolved
  const choice = choices.find((each) => resolve(each)['type'] !== 'null') ?? {}
  return { ...resolved, anyOf: undefined, oneOf: undefined, ...shapeOf(resolve, choice) }
}

/** Type of a field: the first that is not null. */
export function typeOf(shape: JsonSchema): string | undefined {
  const { type } = shape
  if (Array.isArray(type)) return type.find((each) => each !== 'null') as string | undefined
  return typeof type === 'string' ? type : undefined
}

/**
 * The least that a schema takes: what must be there, and what a hint names.
 * @param name of the field that it is for
 */
export function sampleOf(
  resolve: Resolve,
  schema: JsonSchema,
  hint: Hint = () => undefined,
  name = '',
): unknown {
  const shape = shapeOf(resolve, schema)
  const hinted = hint(name, shape)
  if (hinted !== undefined) return hinted
  if (shape['const'] !== undefined) return shape['const']
  const [first] = (shape['enum'] ?? []) as readonly unknown[]
  if (first !== undefined) return first
  if (shape['default'] !== undefined) return shape['default']
  switch (typeOf(shape)) {
    case 'object':
      return sampleObject(resolve, shape, hint)
    case 'array':
      return sampleArray(resolve, shape, hint, name)
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return sampleNumber(shape)
    default:
      return sampleText(shape)
  }
}

/** Fields of an object, by name. */
export function propertiesOf(shape: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (shape['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
}

function sampleObject(resolve: Resolve, shape: JsonSchema, hint: Hint): Record<string, unknown> {
  const required = (shape['required'] ?? []) as readonly string[]
  const sample: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(propertiesOf(shape))) {
    if (required.includes(name)) sample[name] = sampleOf(resolve, schema, hint, name)
    else {
      const hinted = hint(name, shapeOf(resolve, schema))
      if (hinted !== undefined) sample[name] = hinted
    }
  }
  return sample
}

function sampleArray(resolve: Resolve, shape: JsonSchema, hint: Hint, name: string): unknown[] {
  const count = Math.max(Number(shape['minItems'] ?? 1), 1)
  return Array.from({ length: count }, () =>
    sampleOf(resolve, (shape['items'] ?? {}) as JsonSchema, hint, name),
  )
}

/** A number that no row has for an id, where the schema takes it. */
const nobodysNumber = 987_654_321

function sampleNumber({ minimum: lowerBound, maximum: limit, exclusiveMinimum }: JsonSchema): number {
  const least = Number(lowerBound ?? Number(exclusiveMinimum ?? 0) + 1)
  const upperBound = Number(limit ?? Number.MAX_SAFE_INTEGER)
  return upperBound < nobodysNumber
    ? Math.max(least, Math.min(1, upperBound))
    : Math.max(nobodysNumber, least)
}

function sampleText({ minLength, maxLength, pattern, format }: JsonSchema): string {
  if (format === 'email') return 'nobody@example.test'
  if (format === 'uri' || format === 'url') return 'https://nothing.invalid/'
  // Of patterns the contract has those of numbers and of hexadecimal names.
  const letter = typeof pattern === 'string' && !pattern.includes('a') ? '1' : 'a'
  const exact = typeof pattern === 'string' ? /\{(\d+)\}/.exec(pattern)?.[1] : undefined
  const length = Math.max(Number(minLength ?? 1), Number(exact ?? 1))
  return letter.repeat(Math.min(length, Number(maxLength ?? length)))
}
