import { RequestFault } from '../canonical/codec.ts'
import { isObject, type JsonObject } from '../json/value.ts'

/** Why a request is refused, in words that say what to do. */
export interface RequestError {
  readonly message: string
  readonly param: string | null
  readonly code: string
}

/** Looks at a value that is present and not null; `undefined` when it will do. */
export type Check = (value: unknown, param: string) => RequestError | undefined

/** By the name of the field. */
export type Checks = Readonly<Record<string, Check>>

export const flag: Check = (value, param) =>
  typeof value === 'boolean' ? undefined : wrongType(param, 'true or false')
export const object: Check = (value, param) => (isObject(value) ? undefined : wrongType(param, 'an object'))
export const list: Check = (value, param) => (Array.isArray(value) ? undefined : wrongType(param, 'a list'))
export const text: Check = (value, param) =>
  typeof value === 'string' ? undefined : wrongType(param, 'a text')
export const textOrObject: Check = (value, param) =>
  typeof value === 'string' || isObject(value) ? undefined : wrongType(param, 'a text or an object')
export const textOrList: Check = (value, param) =>
  typeof value === 'string' || Array.isArray(value) ? undefined : wrongType(param, 'a text or a list')

export const integer =
  (min: number, max: number): Check =>
  (value, param) => {
    if (!Number.isInteger(value)) return wrongType(param, 'a whole number')
    return inRange(Number(value), min, max) ? undefined : outOfRange(param, min, max)
  }

export const decimal =
  (min: number, max: number): Check =>
  (value, param) => {
    if (typeof value !== 'number') return wrongType(param, 'a number')
    return inRange(value, min, max) ? undefined : outOfRange(param, min, max)
  }

/** Runs the checks of the fields that are present; the first problem counts. */
export function runChecks(body: JsonObject, checks: Checks): RequestError | undefined {
  for (const param of Object.keys(body)) {
    if (!Object.hasOwn(checks, param)) continue
    const value = body[param]
    const problem = isAbsent(value) ? undefined : checks[param]?.(value, param)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** @throws RequestFault for the first field that is present and wrong */
export function requireFields(body: JsonObject, checks: Checks): void {
  const problem = runChecks(body, checks)
  if (problem !== undefined) throw new RequestFault(problem.message, problem.param, problem.code)
}

/** Null says nothing: SDKs send it for fields left out. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function inRange(value: number, min: number, max: number): boolean {
  return value >= min && value <= max
}

export function wrongType(param: string, wanted: string): RequestError {
  return { message: `${param} is invalid: it must be ${wanted}`, param, code: 'invalid_type' }
}

function outOfRange(param: string, min: number, max: number): RequestError {
  return {
    message: `${param} is invalid: it must be between ${min} and ${max}`,
    param,
    code: 'invalid_value',
  }
}
