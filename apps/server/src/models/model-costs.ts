import type { LosingTime, ModelChannelCost, PriceWindow } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import { decimalOf, multiply, numberOf } from '@tollgate/base/decimal'
import { windowPairs } from '../billing/pricing/changes/window-pairs.ts'
import { type Cost, type CostSettings, findCost } from '../billing/pricing/cost-table.ts'
import { completeListPriceOf, ownCostOf } from '../billing/pricing/model-price.ts'
import type { ExactPrice, Price } from '../billing/pricing/price.ts'
import { findPrice } from '../billing/pricing/price-table.ts'
import { priceIn } from '../billing/pricing/time-price.ts'
import type { ChannelSnapshot, RoutedChannel } from '../channels/routing/routing-types.ts'

export interface CostQuery {
  /** Those alone that some group is charged less for. */
  readonly losing?: boolean
  readonly model_name?: string | undefined
  readonly channel?: number | undefined
}

/** Returns the costs of every model for the operator at each enabled channel that serves it, by name and channel. */
export function modelCosts(
  settings: CostSettings,
  { channels }: Pick<ChannelSnapshot, 'channels'>,
  { losing = false, model_name, channel: only }: CostQuery,
): ModelChannelCost[] {
  const isRequested = ({ id, status }: RoutedChannel) =>
    status === 'enabled' && (only === undefined || id === only)
  return channels
    .filter(isRequested)
    .flatMap((channel) =>
      [...channel.models]
        .filter((model) => model_name === undefined || model === model_name)
        .map((model) => rowOf(settings, channel, model)),
    )
    .filter(({ losing_groups }) => !losing || losing_groups.length > 0)
    .sort(byModel)
}

function byModel(a: ModelChannelCost, b: ModelChannelCost): number {
  if (a.model_name === b.model_name) return a.channel - b.channel
  return a.model_name < b.model_name ? -1 : 1
}

function rowOf(settings: CostSettings, channel: RoutedChannel, model: string): ModelChannelCost {
  const upstreamModel = channel.modelMapping.get(model) ?? model
  const factor = channel.setting.costFactor ?? 1
  const cost = findCost(settings, upstreamModel, factor)
  const times = Object.hasOwn(settings.TimeCost, upstreamModel) ? settings.TimeCost[upstreamModel] : undefined
  const list = completeListPriceOf(upstreamModel)
  const losses = cost === undefined ? [] : lossesOf(settings, model, channel.groups, cost)
  return {
    model_name: model,
    channel: channel.id,
    channel_name: channel.name,
    upstream_model: upstreamModel,
    cost_factor: factor,
    source: cost?.source ?? 'unknown',
    ...ratiosOf(cost?.price),
    own_cost: ownCostOf(settings, upstreamModel),
    ...(times !== undefined && { own_times: times }),
    ...(list !== undefined && { list_cost: list }),
    losing_groups: losses.map(({ group }) => group),
    losing_times: losingTimes(losses),
  }
}

function ratiosOf(price: Price | undefined) {
  const none = { quota_type: 0, model_ratio: 0, completion_ratio: 0, cache_ratio: 0, model_price: 0 }
  if (price === undefined) return none
  const { terms } = price
  const factored = (ratio: number) => numberOf(multiply(decimalOf(ratio), decimalOf(terms.groupRatio)))
  if (terms.kind === 'per-call') return { ...none, quota_type: 1, model_price: factored(terms.modelPrice) }
  return {
    ...none,
    model_ratio: factored(terms.modelRatio),
    completion_ratio: terms.completionRatio,
    cache_ratio: terms.cacheReadRatio,
  }
}

/** A group that is charged less than a call costs, and when. */
interface Loss {
  readonly group: string
  readonly isAlways: boolean
  readonly times: readonly Omit<LosingTime, 'groups'>[]
}

/** The groups that lose at any time of the week. */
function lossesOf(settings: CostSettings, model: string, groups: readonly string[], cost: Cost): Loss[] {
  return groups.flatMap((group) => {
    const price = findPrice(settings, model, group)
    if (price === 'unpriced') return []
    const pairs = windowPairs(price.terms.times, cost.price.terms.times)
    const losing = pairs.filter(([charged, paid]) =>
      isBelow(priceIn(price, charged), priceIn(cost.price, paid)),
    )
    if (losing.length === 0) return []
    const times = losing.map(([charged, paid]) => ({
      ...(charged && { price_window: zoned(charged, price) }),
      ...(paid && { cost_window: zoned(paid, cost.price) }),
    }))
    return [{ group, isAlways: losing.length === pairs.length, times }]
  })
}

function zoned(window: PriceWindow, { terms }: Price) {
  return { ...window, zone: terms.times?.zone ?? '' }
}

/** The times of groups that lose at some only, each with the groups that lose then. */
function losingTimes(losses: readonly Loss[]): LosingTime[] {
  const found = new Map<string, LosingTime>()
  for (const { group, isAlways, times } of losses)
    for (const time of isAlways ? [] : times)
      getOrInsert(found, JSON.stringify(time), () => ({ ...time, groups: [] })).groups.push(group)
  return [...found.values()]
}

/** The kinds of tokens that nearly every call has. */
const defaultKinds = ['textInput', 'cacheRead', 'textOutput'] as const

/**
 * Decides whether common calls are charged less than they cost. A price per call and a cost per token say nothing of each other: false.
 */
function isBelow(price: Price, cost: Price): boolean {
  if (price.terms.kind !== cost.terms.kind) return false
  if (price.terms.kind === 'per-call') return price.exact.call < cost.exact.call
  return defaultKinds.some(
    (kind) => unitOf(price.exact, cost.exact, kind) < unitOf(cost.exact, price.exact, kind),
  )
}

/** Over the divisors of both. */
function unitOf(of: ExactPrice, other: ExactPrice, kind: (typeof defaultKinds)[number]): bigint {
  return of.units[kind] * other.divisor
}
