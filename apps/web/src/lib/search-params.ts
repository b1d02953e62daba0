/**
 * Search parameters of pages: plain text in the address (`?page=2&keyword=gpt-4`), values in the program. A value that does not fit counts as absent instead of breaking the page: links are typed
 * by hand and grow old. Plain functions and no schema library, because these are part of the first load.
 */
export type Param<Value> = (value: unknown) => Value | undefined

export const textParam: Param<string> = (value) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
export const booleanParam: Param<boolean> = (value) =>
  value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined
export const integerParam: Param<number> = (value) => {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}
/** Last second of the last year with four digits. */
const lastSecond = 253_402_300_799
/** A time in Unix seconds that has a date. */
export const timeParam: Param<number> = (value) => {
  const time = integerParam(value)
  return time !== undefined && time >= 0 && time <= lastSecond ? time : undefined
}
/** A month by its name, `2026-11`. */
export const monthParam: Param<string> = (value) =>
  typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(value) ? value : undefined
/** One-based page; absent means the first. */
export const pageParam: Param<number> = (value) => {
  const page = integerParam(value)
  return page !== undefined && page > 0 ? page : undefined
}

/** One of a few words. */
export function enumParam<const Words extends readonly string[]>(words: Words): Param<Words[number]> {
  return (value) => words.find((word) => word === value)
}

export type Params = Readonly<Record<string, Param<unknown>>>

/** Values that the parameters of a page are read as. */
export type SearchOf<Known extends Params> = {
  -readonly [Name in keyof Known]?: ReturnType<Known[Name]>
}

/** The search parameters of a page, as its route validates them: `undefined` takes the place of one that does not fit. */
export function searchParams<Known extends Params>(params: Known) {
  const known = Object.entries(params)
  return (search: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(known.map(([name, param]) => [name, param(search[name])])) as SearchOf<Known>
}

/** The router's reading of an address: texts, each name once. */
export function parseSearch(text: string): Record<string, unknown> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** An address that people can read: no quotation marks around texts, and no escapes where none are needed. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
  const text = pairs.map(([name, value]) => `${escaped(name)}=${escaped(String(value))}`).join('&')
  return text === '' ? '' : `?${text}`
}

const readable: Readonly<Record<string, string>> = {
  '%20': '+',
  '%2C': ',',
  '%2F': '/',
  '%3A': ':',
  '%40': '@',
}

function escaped(text: string): string {
  return encodeURIComponent(text).replace(/%(20|2C|2F|3A|40)/g, (code) => readable[code] ?? code)
}
