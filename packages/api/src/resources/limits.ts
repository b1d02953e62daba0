/** Limits of what callers may write, for the server and the forms of the console alike. Plain data, without zod. */
import type { RefusalCode } from '../errors/index.ts'

export interface TextLimits {
  /** Unicode characters of the text in JSON. */
  readonly maxLength: number
  /** Refusal of a longer text; without one it is `invalid_parameter` with the field's name. */
  readonly tooLong?: RefusalCode
  /** Refusal of an empty text; without one a text may be empty. */
  readonly required?: RefusalCode
  /** `line` has no control characters; `multiline` has no NUL, which PostgreSQL cannot store. */
  readonly characters?: keyof typeof forbidden
  /** Refusal of a text with other characters; without one it is `invalid_parameter`. */
  readonly malformed?: RefusalCode
}

const forbidden = { line: /\p{Cc}/u, multiline: /\0/ } as const

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
  return brokenTextLimit(limits, String(value))
}

function brokenTextLimit(limits: TextLimits, text: string): RefusalCode | undefined {
  const { maxLength, characters, required, tooLong, malformed } = limits
  const length = [...text].length
  if (length === 0) return required
  if (length > maxLength) return tooLong ?? 'invalid_parameter'
  const isMalformed = characters !== undefined && forbidden[characters].test(text)
  return isMalformed ? (malformed ?? 'invalid_parameter') : undefined
}

/** The least number that fits; 0 for a text. */
export function minOf(limits: Limits | undefined): number {
  return limits !== undefined && 'min' in limits ? limits.min : 0
}

/** The greatest length or number that fits. */
export function maxOf(limits: Limits | undefined): number {
  if (limits === undefined) return 0
  return 'min' in limits ? limits.max : limits.maxLength
}

/** Limits of a key, a user or a channel per minute, and at once; 0 is no limit. */
export interface RateLimits {
  readonly requestsPerMinute: number
  readonly tokensPerMinute: number
  readonly concurrency: number
}
