import type { VideoPriceRule } from '../models/surcharges.ts'
import { accepted, refused, type SettingResult } from './setting.ts'

/**
 * Checks parsed JSON and returns a frozen value. Shapes are functions and not zod schemas because a refusal must name
 * the entry and its bounds in two languages, and because the catalogue is built at every start.
 */
export type JsonShape<T> = (value: unknown) => SettingResult<T>

/** Map without a prototype: a model named `constructor` has no price rather than a function for a price. */
export type NumberMap = Readonly<Record<string, number>>
export type TextMap = Readonly<Record<string, string>>
/** Model name → header name → values. */
export type ModelHeaders = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
/** Entry of the chat links: one property, name → link template. */
export type ChatLink = TextMap

/** The largest ratio of a group, on prices and on top-ups. */
export const maxGroupRatio = 1000
export const groupDescriptionMaxLength = 500

const maxEntries = 20_000
const maxNameLength = 200

interface NumberMapOptions {
  readonly min?: number
  readonly max: number
  readonly integer?: true
  /** Entry that may not be removed. */
  readonly required?: string
  /** Entries restored when they are missing. */
  readonly restored?: Readonly<Record<string, number>>
}

/** Name → number within bounds. */
export function numberMap(options: NumberMapOptions): JsonShape<NumberMap> {
  const { min = 0, max } = options
  const problem = options.integer ? 'option_entry_integer' : 'option_entry_number'
  return mapOf(
    (value, entry) =>
      typeof value === 'number' &&
      value >= min &&
      value <= max &&
      (!options.integer || Number.isInteger(value))
        ? accepted(value)
        : refused(problem, { entry, min, max }),
    options,
  )
}

interface TextMapOptions {
  readonly maxLength: number
  readonly required?: string
  readonly restored?: Readonly<Record<string, string>>
}

/** Name → text. */
export function textMap(options: TextMapOptions): JsonShape<TextMap> {
  return mapOf((value, entry) => textEntry(value, entry, options.maxLength), options)
}

export function textList(options: { readonly maxLength: number }): JsonShape<readonly string[]> {
  return listOf((value, index) => textEntry(value, String(index + 1), options.maxLength))
}

/** Limits of one group or model per minute, and at once; 0 is no limit. */
export interface RateLimitEntry {
  readonly requests_per_minute: number
  readonly tokens_per_minute: number
  readonly concurrency: number
}
export type RateLimitMap = Readonly<Record<string, RateLimitEntry>>

const noRateLimit: RateLimitEntry = { requests_per_minute: 0, tokens_per_minute: 0, concurrency: 0 }
/** The largest value of every limit. */
export const rateLimitMax = 10 ** 9

/** Name → limits; absent ones are no limit. */
export const rateLimits: JsonShape<RateLimitMap> = mapOf((value, entry) => {
  const isKnown =
    isJsonObject(value) &&
    Object.entries(value).every(([name, limit]) => Object.hasOwn(noRateLimit, name) && isCount(limit, 0))
  return isKnown
    ? accepted(Object.freeze({ ...noRateLimit, ...value }))
    : refused('option_entry_rate_limits', { entry, max: rateLimitMax })
})

/** Group → [requests, successful requests] of a period. */
export type RequestLimitMap = Readonly<Record<string, readonly [total: number, succeeded: number]>>

export const requestLimits: JsonShape<RequestLimitMap> = mapOf((value, entry) =>
  Array.isArray(value) && value.length === 2 && isCount(value[0], 0) && isCount(value[1], 1)
    ? accepted(Object.freeze([Number(value[0]), Number(value[1])] as const))
    : refused('option_entry_request_limits', { entry, max: rateLimitMax }),
)

function isCount(value: unknown, min: number): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= rateLimitMax
}

export type VideoPriceMap = Readonly<Record<string, VideoPriceRule>>

const videoUnits: readonly unknown[] = ['second', 'call']
/** The largest factor of a resolution, and of sound. */
const maxVideoRatio = 1000
const isVideoRatio = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= maxVideoRatio
const resolutionRatios = mapOf((value, entry) =>
  /^(\d{3,4}p|\dk)$/.test(entry) && isVideoRatio(value)
    ? accepted(value)
    : refused('option_entry_video_price', { entry, max: maxVideoRatio }),
)

/** Model → unit, factors by resolution, and the factor of sound. */
export const videoPrices: JsonShape<VideoPriceMap> = mapOf((value, entry) => {
  const problem = refused('option_entry_video_price', { entry, max: maxVideoRatio })
  if (!isJsonObject(value)) return problem
  const { unit, resolutions, sound, ...others } = value as Readonly<Record<string, unknown>>
  const ratios = resolutionRatios(resolutions ?? {})
  if (!videoUnits.includes(unit) || !ratios.ok || Object.keys(others).length > 0) return problem
  const rule = { unit: unit as VideoPriceRule['unit'], resolutions: ratios.value }
  if (sound === undefined) return accepted(Object.freeze(rule))
  return isVideoRatio(sound) ? accepted(Object.freeze({ ...rule, sound })) : problem
})

/** Ordered chat links: objects of one property each. Links that would run script are refused. */
export const chatLinks: JsonShape<readonly ChatLink[]> = listOf((value, index) => {
  const problem = refused('option_entry_chat_link', { entry: index + 1 })
  const link = textMap({ maxLength: 4096 })(value)
  if (!link.ok) return problem
  const targets = Object.values(link.value)
  return targets.length === 1 && targets.every(isSafeLink) ? link : problem
})

/** Extra upstream headers by model. */
export const modelHeaders: JsonShape<ModelHeaders> = mapOf((value, entry) => {
  const headers = mapOf(headerValues)(value)
  if (!headers.ok || !Object.keys(headers.value).every(isHeaderName)) {
    return refused('option_entry_headers', { entry })
  }
  return headers
})

const headerValues: (value: unknown, entry: string) => SettingResult<readonly string[]> = (value, entry) =>
  Array.isArray(value) && value.every(isHeaderValue)
    ? accepted(Object.freeze([...value]))
    : refused('option_entry_headers', { entry })

function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
}

function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 4096 && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}

function isSafeLink(link: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(link) && !/^(javascript|data|vbscript|blob|file):/i.test(link)
}

function textEntry(value: unknown, entry: string, max: number): SettingResult<string> {
  return typeof value === 'string' && value.length <= max
    ? accepted(value)
    : refused('option_entry_text', { entry, max })
}

type CheckEntry<T> = (value: unknown, entry: string) => SettingResult<T>

/** Name → an entry that `checkEntry` accepts. */
export function mapOf<T>(
  checkEntry: CheckEntry<T>,
  { required, restored }: { required?: string; restored?: Readonly<Record<string, T>> } = {},
): JsonShape<Readonly<Record<string, T>>> {
  return (value) => {
    if (!isJsonObject(value)) return refused('option_not_json_object')
    const entries = checkedEntries(Object.entries(value), checkEntry)
    if (!entries.ok) return entries
    const map: Record<string, T> = Object.assign(Object.create(null), restored, entries.value)
    if (required !== undefined && !(required in map)) {
      return refused('option_entry_required', { entry: required })
    }
    return accepted(Object.freeze(map))
  }
}

export function isJsonObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function checkedEntries<T>(
  entries: readonly (readonly [name: string, raw: unknown])[],
  checkEntry: CheckEntry<T>,
): SettingResult<Readonly<Record<string, T>>> {
  if (entries.length > maxEntries) return refused('option_too_many', { max: maxEntries })
  const map: Record<string, T> = Object.create(null)
  for (const [name, raw] of entries) {
    if (name === '' || name.length > maxNameLength)
      return refused('option_entry_name', { max: maxNameLength })
    const checked = checkEntry(raw, name)
    if (!checked.ok) return checked
    map[name] = checked.value
  }
  return accepted(map)
}

function listOf<T>(checkEntry: (value: unknown, index: number) => SettingResult<T>): JsonShape<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return refused('option_not_json_array')
    if (value.length > maxEntries) return refused('option_too_many', { max: maxEntries })
    const items: T[] = []
    for (const [index, raw] of value.entries()) {
      const checked = checkEntry(raw, index)
      if (!checked.ok) return checked
      items.push(checked.value)
    }
    return accepted(Object.freeze(items))
  }
}
