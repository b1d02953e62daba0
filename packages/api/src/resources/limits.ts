/** Limits of what callers may write, for the server and the forms of the console alike. Plain data, without zod. */
import type { RefusalCode } from '../errors/index.ts'

export interface TextLimits {
  /** Unicode characters of the text in JSON. */
  readonly maxLength: number
  /** Refusal of a longer text; without one it is `invalid_parameter` with the field's name. */
  readonly tooLong?: RefusalCode
  /** Refusal of an empty text; without one a text may be empty. */
  readonly required?: RefusalCode
}

export interface NumberLimits {
  readonly min: number
  readonly max: number
  readonly outside: RefusalCode
}

export type Limits = TextLimits | NumberLimits

/** The refusal of a value, in the form of JSON, that is outside its limits. Forms in the console use it, too. */
export function brokenLimit(limits: Limits | undefined, value: unknown): RefusalCode | undefined {
  if (limits === undefined) return undefined
  if ('min' in limits) {
    const isInside = Number.isInteger(value) && Number(value) >= limits.min && Number(value) <= limits.max
    return isInside ? undefined : limits.outside
  }
  const length = [...String(value)].length
  if (length === 0) return limits.required
  return length > limits.maxLength ? (limits.tooLong ?? 'invalid_parameter') : undefined
}

/** The greatest length or number that fits. */
export function maximumOf(limits: Limits | undefined): number {
  if (limits === undefined) return 0
  return 'min' in limits ? limits.max : limits.maxLength
}
