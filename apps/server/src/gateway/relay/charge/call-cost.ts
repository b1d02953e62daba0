import { costOf } from '../../../billing/pricing/charge.ts'
import { type Cost, findCost } from '../../../billing/pricing/cost-table.ts'
import { imagePrice, priceOfMade } from '../../../billing/pricing/media-price.ts'
import type { Price } from '../../../billing/pricing/price.ts'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { Quota } from '../../../store/units.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import { type Delivery, isUnfinished } from './counted-usage.ts'

export type FindCost = (upstreamModel: string, factor: number, atSeconds: number) => Cost | undefined

/** Finds costs by the settings of the moment. */
export function costFinder(settings: SettingsReader): FindCost {
  return (upstreamModel, factor, atSeconds) => findCost(settings.current, upstreamModel, factor, atSeconds)
}

/** Returns the factor of the channel's costs to the list price. */
export function costFactorOf({ setting }: Pick<RoutedChannel, 'setting'>): number {
  return setting.costFactor ?? 1
}

/**
 * Returns the operator's cost of a delivered call, in quota units, rounded once as its charge is: by the list price of the model that
 * the request to the channel names. `undefined` where that is not known.
 */
export function costOfCall(
  call: Pick<RelayCall<ModelRequest>, 'request' | 'mode' | 'createdAt'>,
  delivery: Delivery,
  costs: FindCost,
): Quota | undefined {
  const cost = costs(delivery.upstreamModel, costFactorOf(delivery.channel), call.createdAt)
  const price = cost && pricedOrder(call.request, delivery, cost.price)
  if (price === undefined) return undefined
  return isUnfinished(call, delivery, price) ? 0 : costOf(delivery.usage, price)
}

/** Returns the order that prices a call for images; by the token it is known only where the upstream counted them. */
function pricedOrder(
  { images }: ModelRequest,
  { upstreamModel, made, estimated }: Delivery,
  price: Price,
): Price | undefined {
  if (images === undefined) return price
  const { terms } = price
  if (terms.kind === 'per-token') return estimated ? undefined : price
  const ordered = imagePrice(price, { ...images, model: upstreamModel }, terms.quotaPerUnit)
  return made === undefined ? ordered : priceOfMade(ordered, made)
}
