import { RequestFault } from '../canonical/codec.ts'
import { isObject, type JsonObject } from '../json/value.ts'

/** Members of a request that this codec does not read, by their path: `generationConfig.speechConfig`. */
export type UnknownFields = Map<string, unknown>

/**
 * A member by its camelCase name or by its snake_case one: the service reads both. `undefined` when it is absent or
 * null.
 */
export function member(object: JsonObject, name: string): unknown {
  return object[name] ?? object[snakeCase(name)] ?? undefined
}

export function textAt(object: JsonObject, name: string, path: string): string | undefined {
  const value = member(object, name)
  if (value === undefined || typeof value === 'string') return value
  throw wrongType(join(path, name), 'a text')
}

export function flagAt(object: JsonObject, name: string, path: string): boolean | undefined {
  const value = member(object, name)
  if (value === undefined || typeof value === 'boolean') return value
  throw wrongType(join(path, name), 'true or false')
}

export function numberAt(object: JsonObject, name: string, path: string): number | undefined {
  const value = numberOf(member(object, name))
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
  throw wrongType(join(path, name), 'a number')
}

export function integerAt(
  object: JsonObject,
  name: string,
  path: string,
  min: number,
  max: number,
): number | undefined {
  const value = numberOf(member(object, name))
  if (value === undefined) return undefined
  if (!Number.isInteger(value)) throw wrongType(join(path, name), 'a whole number')
  const count = Number(value)
  if (count < min || count > max) throw invalid(join(path, name), `must be between ${min} and ${max}`)
  return count
}

export function objectAt(object: JsonObject, name: string, path: string): JsonObject | undefined {
  const value = member(object, name)
  if (value === undefined || isObject(value)) return value
  throw wrongType(join(path, name), 'an object')
}

/** A list; a single object counts as a list of one, as some clients send it. Empty when absent. */
export function objectsAt(object: JsonObject, name: string, path: string): readonly JsonObject[] {
  const value = member(object, name)
  if (value === undefined) return []
  if (isObject(value)) return [value]
  if (!Array.isArray(value)) throw wrongType(join(path, name), 'a list of objects')
  return value.map((item: unknown, place) => {
    if (!isObject(item)) throw wrongType(`${join(path, name)}[${place}]`, 'an object')
    return item
  })
}

export function textsAt(object: JsonObject, name: string, path: string): readonly string[] {
  const value = member(object, name)
  if (value === undefined) return []
  if (!Array.isArray(value)) throw wrongType(join(path, name), 'a list of texts')
  return value.map((item: unknown, place) => {
    if (typeof item !== 'string') throw wrongType(`${join(path, name)}[${place}]`, 'a text')
    return item
  })
}

/** Keeps the members that are not among the known ones, so that none is lost without a word. */
export function collectUnknown(
  object: JsonObject,
  known: ReadonlySet<string>,
  path: string,
  unknownFields: UnknownFields,
): void {
  for (const [key, value] of Object.entries(object)) {
    const name = camelCase(key)
    if (!known.has(name) && value !== null) unknownFields.set(join(path, name), value)
  }
}

export function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

export function wrongType(param: string, wanted: string): RequestFault {
  return new RequestFault(`${param} is invalid: it must be ${wanted}`, param, 'invalid_type')
}

export function invalid(param: string, why: string): RequestFault {
  return new RequestFault(`${param} is invalid: it ${why}`, param, 'invalid_value')
}

export function missing(param: string, hint: string): RequestFault {
  return new RequestFault(`${param} is required: ${hint}`, param, 'missing_required_parameter')
}

export function unsupported(param: string, why: string): RequestFault {
  return new RequestFault(`${param} cannot be used here: ${why}`, param, 'unsupported_parameter')
}

/** In the JSON form of protocol buffers a number may be written as a text. */
function numberOf(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

export function camelCase(name: string): string {
  return name.includes('_')
    ? name.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : name
}

/** Names are asked for by this codec alone, so there are a few dozen of them. */
const snakeNames = new Map<string, string>()

function snakeCase(name: string): string {
  const known = snakeNames.get(name)
  if (known !== undefined) return known
  const made = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  snakeNames.set(name, made)
  return made
}
