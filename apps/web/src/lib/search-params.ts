import * as z from 'zod/mini'

/**
 * Search parameters of pages. A value that does not fit counts as absent instead of breaking the page: links are typed
 * by hand and grow old. `zod/mini`, because search schemas are part of the first load.
 */
export const textParam = z.catch(z.optional(z.string()), undefined)
/** Text that looks like a number arrives as one (`?keyword=123`). */
export const searchParam = z.catch(
  z.optional(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.transform((value) => String(value)),
    ),
  ),
  undefined,
)
export const flagParam = z.catch(z.optional(z.boolean()), undefined)
export const integerParam = z.catch(z.optional(z.int()), undefined)
/** One-based page; absent means the first. */
export const pageParam = z.catch(z.optional(z.int().check(z.positive())), undefined)

/** One of a few words. */
export function wordParam<const Words extends readonly string[]>(words: Words) {
  return z.catch(z.optional(z.enum(words)), undefined)
}

/** The search parameters of a page, as the schema of its route. */
export const searchParams = z.object
