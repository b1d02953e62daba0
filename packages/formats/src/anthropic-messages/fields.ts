import { RequestFault } from '../canonical/codec.ts'
import { isObject, type JsonObject } from '../json/value.ts'

/** Reads one field of a caller's body, or throws a `RequestFault` that names it. */
type Read<Value> = (value: unknown, param: string) => Value

/** SDKs send null for fields left out. */
function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

/** The field when it is there. */
export function optional<Value>(value: unknown, param: string, read: Read<Value>): Value | undefined {
  return isAbsent(value) ? undefined : read(value, param)
}

export const text: Read<string> = (value, param) => {
  if (typeof value === 'string') return value
  throw isAbsent(value) ? missing(param) : wrongType(param, 'a text')
}

export const nonEmptyText: Read<string> = (value, param) => {
  const read = text(value, param)
  if (read.trim() === '') throw invalid(param, 'it must not be empty')
  return read
}

export const flag: Read<boolean> = (value, param) => {
  if (typeof value === 'boolean') return value
  throw wrongType(param, 'true or false')
}

export const object: Read<JsonObject> = (value, param) => {
  if (isObject(value)) return value
  throw isAbsent(value) ? missing(param) : wrongType(param, 'an object')
}

export const list: Read<readonly unknown[]> = (value, param) => {
  if (Array.isArray(value)) return value
  throw isAbsent(value) ? missing(param) : wrongType(param, 'a list')
}

export const texts: Read<readonly string[]> = (value, param) =>
  list(value, param).map((item, place) => text(item, `${param}[${place}]`))

export const integer =
  (min: number, max: number): Read<number> =>
  (value, param) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(param, 'a whole number')
    return inRange(value, param, min, max)
  }

export const decimal =
  (min: number, max: number): Read<number> =>
  (value, param) => {
    if (typeof value !== 'number') throw wrongType(param, 'a number')
    return inRange(value, param, min, max)
  }

function inRange(value: number, param: string, min: number, max: number): number {
  if (value >= min && value <= max) return value
  throw invalid(param, `it must be between ${min} and ${max}`)
}

function missing(param: string): RequestFault {
  return new RequestFault(`${param} is required`, param, 'missing_required_parameter')
}

export function invalid(param: string, why: string): RequestFault {
  return new RequestFault(`${param} is invalid: ${why}`, param, 'invalid_value')
}

/** What one side of a translation says and the other cannot, and whose loss would change the answer. */
export function unsupported(param: string, why: string): RequestFault {
  return new RequestFault(
    `${param} is not supported by this model's provider: ${why}`,
    param,
    'unsupported_parameter',
  )
}

function wrongType(param: string, wanted: string): RequestFault {
  return new RequestFault(`${param} is invalid: it must be ${wanted}`, param, 'invalid_type')
}

/** The object without the optional members that are undefined: `exactOptionalPropertyTypes` tells them apart. */
export function defined<T extends object>(
  members: {
    readonly [Key in keyof T]: Record<never, never> extends Pick<T, Key> ? T[Key] | undefined : T[Key]
  },
): T {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as T // Nothing but undefined optional members was left out.
}
