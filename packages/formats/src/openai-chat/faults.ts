import { RequestFault } from '../canonical/codec.ts'
import { isObject, type JsonObject } from '../json/value.ts'

export function wrongType(param: string, wanted: string): RequestFault {
  return new RequestFault(`${param} is invalid: it must be ${wanted}`, param, 'invalid_type')
}

export function wrongValue(param: string, wanted: string): RequestFault {
  return new RequestFault(`${param} is invalid: it must be ${wanted}`, param, 'invalid_value')
}

export function missing(param: string): RequestFault {
  return new RequestFault(`${param} is required`, param, 'missing_required_parameter')
}

/** What cannot be carried to the upstream, and whose loss would change the answer. */
export function unsupported(param: string, why: string): RequestFault {
  return new RequestFault(`${param} is not supported: ${why}`, param, 'unsupported_parameter')
}

/** Null says nothing in this format: SDKs send it for fields left out. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

/** A text that may be absent. */
export function optionalText(value: unknown, param: string): string | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string') throw wrongType(param, 'a text')
  return value
}

export function requiredText(value: unknown, param: string): string {
  const text = optionalText(value, param)
  if (text === undefined || text === '') throw missing(param)
  return text
}

export function optionalFlag(value: unknown, param: string): boolean | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'boolean') throw wrongType(param, 'true or false')
  return value
}

export function optionalInteger(value: unknown, param: string): number | undefined {
  if (isAbsent(value)) return undefined
  if (!Number.isSafeInteger(value)) throw wrongType(param, 'a whole number')
  return Number(value)
}

export function optionalObject(value: unknown, param: string): JsonObject | undefined {
  if (isAbsent(value)) return undefined
  if (!isObject(value)) throw wrongType(param, 'an object')
  return value
}

export function requiredObject(value: unknown, param: string): JsonObject {
  const object = optionalObject(value, param)
  if (object === undefined) throw missing(param)
  return object
}

/** A list that may be absent, and is empty then. */
export function optionalList(value: unknown, param: string): readonly unknown[] {
  if (isAbsent(value)) return []
  if (!Array.isArray(value)) throw wrongType(param, 'a list')
  return value
}

/** One of the texts of a closed set; absent is `undefined`. */
export function optionalChoice<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
  param: string,
): Choice | undefined {
  const text = optionalText(value, param)
  if (text === undefined) return undefined
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw wrongValue(param, `one of ${choices.join(', ')}`)
  return choice
}

/** The value as the only member of an object; no member when it is `undefined`. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value })
}
