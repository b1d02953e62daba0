import {
  listedName,
  type ModelCost,
  type TimePrices,
  type TokenPriceOption,
  tokenPriceKinds,
  type VideoPriceRule,
} from '@tollgate/api'
import { defaults } from '@tollgate/api/settings'
import { getOrInsert } from '@tollgate/base'
import { createPrice, type Price } from './price.ts'
import { isPriced, type PriceSettings, pricedName, termsOf } from './price-table.ts'
import type { PriceTerms } from './price-terms.ts'
import { priceAt } from './time-price.ts'

/** The settings that costs are made of. Any change replaces the complete snapshot. */
export interface CostSettings extends PriceSettings {
  /** Costs by the name of the model at its upstream. */
  readonly ModelCost: Readonly<Record<string, ModelCost>>
  /** Factors on a cost by time, by the name of the model at its upstream. */
  readonly TimeCost: Readonly<Record<string, TimePrices>>
}

/** Cost of a model for the operator, and its source: the operator or the table of models. */
export interface Cost {
  readonly price: Price
  readonly source: 'option' | 'list'
  /** The unit of a cost per call, of a video model. */
  readonly video?: VideoPriceRule
}

interface KnownCosts {
  readonly settings: PriceSettings
  readonly byFactor: Map<number, Map<string, Cost | undefined>>
}

const known = new WeakMap<CostSettings, KnownCosts>()
/** Names come from channels and their mappings: only abuse reaches this bound. */
const maxCostsPerFactor = 10_000

/**
 * Finds the cost of a model for the operator at an upstream: the operator's figure (`ModelCost`), else the vendor's list price, times
 * the channel's factor. It has the form of a price, so that `costOf` works out the cost of a call as it works out its charge.
 * `undefined` where neither is known: a cost is never guessed.
 * @param upstreamModel the model that the channel is really asked for
 * @param factor what the channel pays of the list price: 0.7 for 30 % less
 * @param atSeconds when the call was accepted; without it the cost outside of every window
 */
export function findCost(
  settings: CostSettings,
  upstreamModel: string,
  factor: number,
  atSeconds?: number,
): Cost | undefined {
  const cost = knownCost(settings, upstreamModel, factor)
  if (cost?.price.terms.times === undefined || atSeconds === undefined) return cost
  return { ...cost, price: priceAt(cost.price, atSeconds) }
}

function knownCost(settings: CostSettings, upstreamModel: string, factor: number): Cost | undefined {
  const costs = getOrInsert(known, settings, () => ({
    settings: costSettings(settings),
    byFactor: new Map(),
  }))
  const ofFactor = getOrInsert(costs.byFactor, factor, () => new Map())
  const found = ofFactor.get(upstreamModel)
  if (found !== undefined || ofFactor.has(upstreamModel)) return found
  const cost = workOut(costs.settings, settings.ModelCost, upstreamModel, factor)
  if (ofFactor.size >= maxCostsPerFactor) ofFactor.clear()
  ofFactor.set(upstreamModel, cost)
  return cost
}

/** The settings of prices as they would be if the operator charged what the vendors do. */
function costSettings({ ModelCost, TimeCost, QuotaPerUnit }: CostSettings): PriceSettings {
  const lists = Object.entries(listPrices).map(([key, list]) => [key, { ...list }] as const)
  // Every list is a copy of the one of the same name.
  const maps = Object.fromEntries(lists) as { [Key in keyof typeof listPrices]: Record<string, number> }
  for (const [model, cost] of Object.entries(ModelCost)) {
    if (cost.model_price !== undefined) maps.ModelPrice[model] = cost.model_price
    else {
      delete maps.ModelPrice[model]
      for (const { cost: member, option } of tokenPriceKinds) {
        const value = cost[member]
        if (value !== undefined) maps[option][model] = value
      }
    }
  }
  const { VideoPrice, ToolPrice, TierRatio, LengthPrice } = defaults
  const surcharges = { VideoPrice, ToolPrice, TierRatio, LengthPrice }
  return {
    ...maps,
    ...surcharges,
    TimePrice: TimeCost,
    GroupRatio: {},
    QuotaPerUnit,
    SelfUseModeEnabled: false,
  }
}

const listPrices = {
  ModelPrice: defaults.ModelPrice,
  ...Object.fromEntries(tokenPriceKinds.map(({ option }) => [option, defaults[option]])),
} as Pick<PriceSettings, 'ModelPrice' | TokenPriceOption>

function workOut(
  settings: PriceSettings,
  own: CostSettings['ModelCost'],
  upstreamModel: string,
  factor: number,
): Cost | undefined {
  const name = [upstreamModel, pricedName(upstreamModel), listedName(upstreamModel)].find(
    (each) => each !== undefined && isPriced(settings, each),
  )
  if (name === undefined) return undefined
  const video = Object.hasOwn(settings.VideoPrice, name) ? settings.VideoPrice[name] : undefined
  return {
    price: createPrice(costTerms(termsOf(settings, name, ''), factor)),
    source: Object.hasOwn(own, name) ? 'option' : 'list',
    ...(video !== undefined && { video }),
  }
}

/**
 * Returns the terms of a cost, with the factor in place of the group's. Vendors have no least charge: a call of few tokens may cost
 * nothing.
 */
function costTerms(terms: PriceTerms, factor: number): PriceTerms {
  return terms.kind === 'per-call'
    ? { ...terms, groupRatio: factor }
    : { ...terms, groupRatio: factor, minCharge: 0 }
}
