/**
 * Search parameters of pages. A value that does not fit counts as absent instead of breaking the page: links are typed
 * by hand and grow old. Plain functions and no schema library, because these are part of the first load.
 */
type Param<Value> = (value: unknown) => Value | undefined

export const textParam: Param<string> = (value) => (typeof value === 'string' ? value : undefined)
/** Text that looks like a number arrives as one (`?keyword=123`). */
export const searchParam: Param<string> = (value) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
export const flagParam: Param<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)
export const integerParam: Param<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
/** One-based page; absent means the first. */
export const pageParam: Param<number> = (value) => {
  const page = integerParam(value)
  return page !== undefined && page > 0 ? page : undefined
}

/** One of a few words. */
export function wordParam<const Words extends readonly string[]>(words: Words): Param<Words[number]> {
  return (value) => words.find((word) => word === value)
}

/** What the parameters of a page read to. */
type SearchOf<Params extends Readonly<Record<string, Param<unknown>>>> = {
  -readonly [Name in keyof Params]?: ReturnType<Params[Name]>
}

/** The search parameters of a page, as its route validates them; names it does not know are dropped. */
export function searchParams<Params extends Readonly<Record<string, Param<unknown>>>>(params: Params) {
  return (search: Readonly<Record<string, unknown>>): SearchOf<Params> => {
    const read = Object.entries(params).map(([name, param]) => [name, param(search[name])] as const)
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as SearchOf<Params>
  }
}
