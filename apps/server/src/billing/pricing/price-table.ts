import {
  anyBudgetName,
  type LengthStep,
  routingName,
  standardCacheWrite,
  type TierRatios,
  type TimePrices,
  type ToolPrices,
  type VideoPriceRule,
} from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import { decimalOf, multiply, numberOf } from '@tollgate/base/decimal'
import { completionRatioOf } from './completion-ratio.ts'
import { createPrice, type Price } from './price.ts'
import type { PriceTerms, TokenTerms } from './price-terms.ts'
import { priceAt } from './time-price.ts'

/** Name under which a model is priced and logged. */
export { routingName as pricedName } from '@tollgate/api'

type RatioMap = Readonly<Record<string, number>>

/** The settings that prices are made of. Any change replaces the complete snapshot. */
export interface PriceSettings {
  /** Currency per call; a model named here is priced by call. */
  readonly ModelPrice: RatioMap
  readonly ModelRatio: RatioMap
  readonly CompletionRatio: RatioMap
  readonly CacheRatio: RatioMap
  readonly CreateCacheRatio: RatioMap
  readonly AudioRatio: RatioMap
  readonly AudioCompletionRatio: RatioMap
  readonly ImageRatio: RatioMap
  readonly ImageCompletionRatio: RatioMap
  readonly VideoPrice: Readonly<Record<string, VideoPriceRule>>
  readonly ToolPrice: Readonly<Record<string, ToolPrices>>
  readonly TierRatio: Readonly<Record<string, TierRatios>>
  readonly LengthPrice: Readonly<Record<string, readonly LengthStep[]>>
  readonly TimePrice: Readonly<Record<string, TimePrices>>
  readonly GroupRatio: RatioMap
  readonly QuotaPerUnit: number
  readonly SelfUseModeEnabled: boolean
}

/** Ratio of an unpriced model, where the operator or the user accepts such models. */
const unsetModelRatio = 37.5
/** Anthropic's list prices of writes to a cache: 3.75 for five minutes, 6 for an hour. */
const hourToFiveMinutes = decimalOf(6 / 3.75)
/** Cached prices per snapshot and group; names are priced or accepted, so only abuse reaches this bound. */
const maxPricesPerGroup = 10_000

const pricesOf = new WeakMap<PriceSettings, Map<string, Map<string, Price>>>()

/**
 * Price of a model for a group; custom GPTs share the price of their family. `'unpriced'` when no price is set and neither
 * the operator (self-use mode) nor the user accepts unset prices, and when a term is not a usable number: the gateway does
 * not serve what it cannot price.
 * @param atSeconds when the call was accepted; without it the price outside of every window
 */
export function findPrice(
  settings: PriceSettings,
  model: string,
  group: string,
  acceptsUnset = false,
  atSeconds?: number,
): Price | 'unpriced' {
  if (!isServed(settings, model, acceptsUnset)) return 'unpriced'
  const prices = groupPrices(settings, group)
  const price = prices.get(model) ?? workOut(prices, settings, model, group)
  return price === 'unpriced' || atSeconds === undefined ? price : priceAt(price, atSeconds)
}

/** Kind of a model's calls: work that ends later (`task`) has no tokens, so a price per call alone prices it. */
export type CallKind = 'call' | 'task'

/**
 * Tells whether calls of the model are served: it has a price for calls of this kind, or the operator (self-use mode) or the
 * user accepts that it has none.
 */
export function isServed(
  settings: PricedModels & Pick<PriceSettings, 'SelfUseModeEnabled'>,
  model: string,
  acceptsUnset: boolean,
  kind: CallKind = 'call',
): boolean {
  if (isPriced(settings, model, kind)) return true
  return (acceptsUnset || settings.SelfUseModeEnabled) && !isPriced(settings, model)
}

/** Tells whether the operator set a price for calls of the model of this kind. */
export function isPriced(settings: PricedModels, model: string, kind: CallKind = 'call'): boolean {
  const name = nameInPrices(settings, model)
  return kind === 'task' ? Object.hasOwn(settings.ModelPrice, name) : hasPrice(settings, name)
}

function hasPrice({ ModelPrice, ModelRatio }: PricedModels, name: string): boolean {
  return Object.hasOwn(ModelPrice, name) || Object.hasOwn(ModelRatio, name)
}

type PricedModels = Pick<PriceSettings, 'ModelPrice' | 'ModelRatio'>

/** A model whose name contains a reasoning budget has the price for any budget, unless it has one of its own. */
function nameInPrices(settings: PricedModels, model: string): string {
  const name = routingName(model)
  const family = anyBudgetName(name)
  return family !== undefined && !hasPrice(settings, name) && hasPrice(settings, family) ? family : name
}

function groupPrices(settings: PriceSettings, group: string): Map<string, Price> {
  const groups = getOrInsert(pricesOf, settings, () => new Map<string, Map<string, Price>>())
  return getOrInsert(groups, group, () => new Map<string, Price>())
}

function workOut(
  prices: Map<string, Price>,
  settings: PriceSettings,
  model: string,
  group: string,
): Price | 'unpriced' {
  const price = usablePrice(settings, nameInPrices(settings, model), group)
  if (price === 'unpriced') return price
  if (prices.size >= maxPricesPerGroup) prices.clear()
  prices.set(model, price)
  return price
}

function usablePrice(settings: PriceSettings, model: string, group: string): Price | 'unpriced' {
  try {
    return createPrice(termsOf(settings, model, group))
  } catch (error) {
    if (error instanceof RangeError) return 'unpriced'
    throw error
  }
}

/**
 * The terms of a model's price, with defaults where the operator set none.
 * @param model as `pricedName` has it
 */
export function termsOf(settings: PriceSettings, model: string, group: string): PriceTerms {
  const groupRatio = groupRatioOf(settings, group)
  const modelPrice = own(settings.ModelPrice, model)
  const times = modelEntry(settings.TimePrice, model)
  const timed = times === undefined ? {} : { times }
  if (modelPrice !== undefined) {
    return { kind: 'per-call', modelPrice, quotaPerUnit: settings.QuotaPerUnit, groupRatio, ...timed }
  }
  const cacheWriteRatio = own(settings.CreateCacheRatio, model) ?? standardCacheWrite
  return {
    kind: 'per-token',
    modelRatio: own(settings.ModelRatio, model) ?? unsetModelRatio,
    completionRatio: completionRatioOf(model, settings.CompletionRatio),
    cacheReadRatio: own(settings.CacheRatio, model) ?? 1,
    cacheWriteRatio,
    cacheWrite1hRatio: numberOf(multiply(decimalOf(cacheWriteRatio), hourToFiveMinutes)),
    ...audioTerms(settings, model),
    imageRatio: own(settings.ImageRatio, model) ?? 1,
    imageCompletionRatio: own(settings.ImageCompletionRatio, model),
    groupRatio,
    ...surcharges(settings, model),
    ...timed,
  }
}

/** Returns the ratio of a group on every price. */
export function groupRatioOf({ GroupRatio }: Pick<PriceSettings, 'GroupRatio'>, group: string): number {
  return own(GroupRatio, group) ?? 1
}

function surcharges(
  { ToolPrice, TierRatio, LengthPrice, QuotaPerUnit }: PriceSettings,
  model: string,
): Pick<TokenTerms, 'tools' | 'quotaPerUnit' | 'tiers' | 'steps'> {
  const tools = modelMembers(ToolPrice, model)
  const tiers = modelMembers(TierRatio, model)
  const steps = modelEntry(LengthPrice, model)
  return {
    ...(tools !== undefined && { tools, quotaPerUnit: QuotaPerUnit }),
    ...(tiers !== undefined && { tiers }),
    ...(steps !== undefined && { steps }),
  }
}

/** Audio of a model in neither map costs what its text costs; a missing half of the pair is 1. */
function audioTerms(
  settings: PriceSettings,
  model: string,
): Pick<TokenTerms, 'audioRatio' | 'audioCompletionRatio'> {
  const audioRatio = own(settings.AudioRatio, model)
  const audioCompletionRatio = own(settings.AudioCompletionRatio, model)
  if (audioRatio === undefined && audioCompletionRatio === undefined)
    return { audioRatio: 1, audioCompletionRatio: undefined }
  return { audioRatio: audioRatio ?? 1, audioCompletionRatio: audioCompletionRatio ?? 1 }
}

function own(map: RatioMap, name: string): number | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined
}

type Entries<Value> = Readonly<Record<string, Value>>

/**
 * The entry that holds for a model: its own, else that of the longest beginning of its name that ends with `*` in the
 * map; `undefined` where there is none.
 */
export function modelEntry<Value>(entries: Entries<Value>, model: string): Value | undefined {
  return modelEntries(entries, model)[0]
}

/** The name of that entry. */
export function entryNameOf(entries: Entries<unknown>, model: string): string | undefined {
  return entryNames(entries, model)[0]
}

/** Returns the members for a model: an entry inherits what it leaves open from those of longer beginnings. */
export function modelMembers<Value extends object>(
  entries: Entries<Value>,
  model: string,
): Value | undefined {
  const found = modelEntries(entries, model)
  return found.length === 0 ? undefined : Object.assign({}, ...found.toReversed())
}

function modelEntries<Value>(entries: Entries<Value>, model: string): readonly Value[] {
  // Each is a name of the map.
  return entryNames(entries, model).map((name) => entries[name] as Value)
}

/** The closest first. */
function entryNames(entries: Entries<unknown>, model: string): readonly string[] {
  const beginnings = Object.keys(entries).filter(
    (name) => name === model || (name.endsWith('*') && model.startsWith(name.slice(0, -1))),
  )
  return beginnings.toSorted((a, b) => Number(b === model) - Number(a === model) || b.length - a.length)
}
