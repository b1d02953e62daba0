import { z } from 'zod'

/** Readers of values in other programs' tables: databases differ in their types, and versions in their columns. */

const numeric = z
  .union([
    z.number(),
    z.bigint().transform(Number),
    z.boolean().transform(Number),
    z
      .string()
      .regex(/^-?\d+(\.0*)?$/)
      .transform(Number),
  ])
  .refine(Number.isSafeInteger, {
    error: ({ input }) => `is ${input}: not a whole number up to ${Number.MAX_SAFE_INTEGER}`,
  })

/** A whole number; absent or null is `standard`. */
export const whole = (standard = 0) => numeric.nullish().transform((value) => value ?? standard)

/** A text; absent or null is `standard`. */
export const words = (standard = '') =>
  z.coerce
    .string()
    .nullish()
    .transform((value) => value ?? standard)

/** A text without the blanks that `char(n)` adds. */
export const word = (standard = '') => words(standard).transform((value) => value.trim())

/** True and false in the form of any database. */
export const flag = z
  .union([z.boolean(), z.number(), z.bigint(), z.string()])
  .nullish()
  .transform((value) => value === true || Number(value) === 1 || value === 'true')

/** A number with a fraction. */
export const decimal = z.coerce
  .number()
  .nullish()
  .transform((value) => value ?? 0)

/** Reads whether a column of deletion has a time. */
export const isSet = z
  .unknown()
  .optional()
  .transform((value) => value !== null && value !== undefined && value !== '')

/** Returns the first fault of a row. */
export function faultOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is invalid'}`
}
