import { RequestFault } from '../canonical/codec.ts'
import { camelCase } from '../json/camel-case.ts'
import { numberOf } from '../json/number-text.ts'
import { isObject, type JsonObject } from '../json/value.ts'
import { flag, invalid, object, type Read, text, wrongType } from '../requests/fields.ts'

/** Members of a request that this codec does not read, by their path: `generationConfig.speechConfig`. */
export type UnknownFields = Map<string, unknown>

/** Reads a member of an object, in either spelling; `undefined` when it is absent. @param path of the object */
type ReadMember<Value> = (holder: JsonObject, name: string, path: string) => Value | undefined

/** A member by its camelCase or its snake_case name: the service reads both. `undefined` when it is absent or null. */
export function member(holder: JsonObject, name: string): unknown {
  return holder[name] ?? holder[snakeCase(name)] ?? undefined
}

function at<Value>(read: Read<Value>): ReadMember<Value> {
  return (holder, name, path) => {
    const value = member(holder, name)
    return value === undefined ? undefined : read(value, join(path, name))
  }
}

export const textAt = at(text)
export const flagAt = at(flag)
export const objectAt = at(object)
export const numberAt = at((value, param) => {
  const number = plainNumber(value)
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw wrongType(param, 'a number')
})

/** A whole number in a range. */
export function integerAt(
  holder: JsonObject,
  name: string,
  path: string,
  min: number,
  max: number,
): number | undefined {
  const value = plainNumber(member(holder, name))
  if (value === undefined) return undefined
  if (!Number.isInteger(value)) throw wrongType(join(path, name), 'a whole number')
  const count = Number(value)
  if (count < min || count > max) throw invalid(join(path, name), `it must be between ${min} and ${max}`)
  return count
}

/** A list; a single object counts as a list of one, as some clients send it. Empty when absent. */
export function objectsAt(holder: JsonObject, name: string, path: string): readonly JsonObject[] {
  const value = member(holder, name)
  return isObject(value) ? [value] : itemsAt(holder, name, path, 'a list of objects', object)
}

/** A list of texts; empty when absent. */
export function textsAt(holder: JsonObject, name: string, path: string): readonly string[] {
  return itemsAt(holder, name, path, 'a list of texts', text)
}

function itemsAt<Item>(
  holder: JsonObject,
  name: string,
  path: string,
  wanted: string,
  read: Read<Item>,
): readonly Item[] {
  const value = member(holder, name) ?? []
  if (!Array.isArray(value)) throw wrongType(join(path, name), wanted)
  return value.map((item: unknown, index) => read(item ?? false, `${join(path, name)}[${index}]`))
}

/** Collects the unknown members, so that a warning can name each of them. */
export function collectUnknown(
  holder: JsonObject,
  known: ReadonlySet<string>,
  path: string,
  unknownFields: UnknownFields,
): void {
  for (const [key, value] of Object.entries(holder)) {
    const name = camelCase(key)
    if (!known.has(name) && value !== null) unknownFields.set(join(path, name), value)
  }
}

/** The path of a member. */
export function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** Makes the refusal of a field that other formats cannot say, or this one. */
export function unsupported(param: string, why: string): RequestFault {
  return new RequestFault(`${param} cannot be used here: ${why}`, param, 'unsupported_parameter')
}

/** Reads a number, which the JSON form of protocol buffers may write as a text. */
function plainNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
    ? Number(value)
    : (numberOf(value) ?? value)
}

/** Only this codec asks for names, so there are a few dozen of them. */
const snakeNames = new Map<string, string>()

function snakeCase(name: string): string {
  const known = snakeNames.get(name)
  if (known !== undefined) return known
  const made = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  snakeNames.set(name, made)
  return made
}
