import { RequestFault } from '../canonical/codec.ts'
import { numberOf } from '../json/number-text.ts'
import { isObject, type JsonObject } from '../json/value.ts'

/**
 * Reads one field of a caller's request.
 * @param param the field's name for the caller, as a path
 * @throws RequestFault that names the field
 */
export type Read<Value = unknown> = (value: unknown, param: string) => Value

/** Readers by the name of their field. */
export type Checks = Readonly<Record<string, Read>>

/** Reason why a request is refused, in words that say what to do. */
export type RequestError = Pick<RequestFault, 'message' | 'param' | 'code'>

/** A value of another type. */
export function wrongType(param: string, wanted: string): RequestFault {
  return new RequestFault(`${param} is invalid: it must be ${wanted}`, param, 'invalid_type')
}

/** A value of the right type that the field cannot have. */
export function invalid(param: string, why: string): RequestFault {
  return new RequestFault(`${param} is invalid: ${why}`, param, 'invalid_value')
}

/** A required field that is absent. */
export function missing(param: string, hint = ''): RequestFault {
  const message = hint === '' ? `${param} is required` : `${param} is required: ${hint}`
  return new RequestFault(message, param, 'missing_required_parameter')
}

/** A field that the upstream cannot take, and whose loss would change the response. */
export function unsupported(param: string, why: string): RequestFault {
  return new RequestFault(`${param} is not supported: ${why}`, param, 'unsupported_parameter')
}

/** Works as `unsupported`, where the model's provider is at fault. */
export function unsupportedByProvider(param: string, why: string): RequestFault {
  const message = `${param} is not supported by this model's provider: ${why}`
  return new RequestFault(message, param, 'unsupported_parameter')
}

/** Null says nothing: SDKs send it for fields left out. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function reader<Value>(is: (value: unknown) => value is Value, wanted: string): Read<Value> {
  return (value, param) => {
    if (is(value)) return value
    throw isAbsent(value) ? missing(param) : wrongType(param, wanted)
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

export const text = reader(isText, 'a text')
export const flag = reader((value): value is boolean => typeof value === 'boolean', 'true or false')
export const object = reader(isObject, 'an object')
export const list = reader(isList, 'a list')
export const textOrObject = reader(
  (value): value is string | JsonObject => isText(value) || isObject(value),
  'a text or an object',
)
export const textOrList = reader(
  (value): value is string | readonly unknown[] => isText(value) || isList(value),
  'a text or a list',
)
const number = numeric(() => true, 'a number')
const wholeNumber = numeric(Number.isInteger, 'a whole number')
const safeInteger = numeric(Number.isSafeInteger, 'a whole number')

function numeric(is: (value: number) => boolean, wanted: string): Read<number> {
  return (value, param) => {
    const number = numberOf(value)
    if (number !== undefined && is(number)) return number
    throw wrongType(param, wanted)
  }
}

/** A text with more than white space in it. */
export const nonEmptyText: Read<string> = (value, param) => {
  const read = text(value, param)
  if (read.trim() === '') throw invalid(param, 'it must not be empty')
  return read
}

/** A list of texts. */
export const texts: Read<readonly string[]> = (value, param) =>
  list(value, param).map((item, index) => text(item, `${param}[${index}]`))

/** Stop sequences that stop something: some vendors refuse empty ones. */
export function stopSequences(texts: readonly string[]): readonly string[] {
  return texts.includes('') ? texts.filter((text) => text !== '') : texts
}

/** A whole number in a range. */
export const integer = (min: number, max: number) => inRange(wholeNumber, min, max)
/** A number in a range. */
export const decimal = (min: number, max: number) => inRange(number, min, max)

function inRange(read: Read<number>, min: number, max: number): Read<number> {
  return (value, param) => {
    const found = read(value, param)
    if (found >= min && found <= max) return found
    throw invalid(param, `it must be between ${min} and ${max}`)
  }
}

/** The field when it is there. */
export function optional<Value>(value: unknown, param: string, read: Read<Value>): Value | undefined {
  return isAbsent(value) ? undefined : read(value, param)
}

function whenPresent<Value>(read: Read<Value>): Read<Value | undefined> {
  return (value, param) => optional(value, param, read)
}

export const optionalText = whenPresent(text)
export const optionalFlag = whenPresent(flag)
export const optionalInteger = whenPresent(safeInteger)
export const optionalObject = whenPresent(object)

/** A text with at least one character. */
export const requiredText: Read<string> = (value, param) => {
  if (value === '') throw missing(param)
  return text(value, param)
}

/** A list that may be absent, and is empty then. */
export const optionalList: Read<readonly unknown[]> = (value, param) => optional(value, param, list) ?? []

/** One of the texts of a closed set; absent is `undefined`. */
export function optionalChoice<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
  param: string,
): Choice | undefined {
  const read = optionalText(value, param)
  const choice = choices.find((each) => each === read)
  if (read !== undefined && choice === undefined)
    throw invalid(param, `it must be one of ${choices.join(', ')}`)
  return choice
}

/** Reads the fields that are present. @throws RequestFault for the first that is wrong */
export function requireFields(body: JsonObject, checks: Checks): void {
  for (const param of Object.keys(body))
    if (Object.hasOwn(checks, param) && !isAbsent(body[param])) checks[param]?.(body[param], param)
}

/** Works as `requireFields`, but returns the fault. */
export function runChecks(body: JsonObject, checks: Checks): RequestError | undefined {
  try {
    requireFields(body, checks)
    return undefined
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
}

/** The value as the only member of an object; no member when it is `undefined`. */
export function provided<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? noMember : ({ [name]: value } as { [Key in Name]: Value })
}

const noMember: Record<never, never> = {}

/** The object without the optional members that are undefined: `exactOptionalPropertyTypes` tells them apart. */
export function defined<T extends object>(
  members: {
    readonly [Key in keyof T]: Record<never, never> extends Pick<T, Key> ? T[Key] | undefined : T[Key]
  },
): T {
  const all: Readonly<Record<string, unknown>> = members
  const present: Record<string, unknown> = {}
  // Runs for every part of every message: entries would be allocated for each.
  for (const name in all) if (all[name] !== undefined) present[name] = all[name]
  return present as T // Nothing but undefined optional members was left out.
}
