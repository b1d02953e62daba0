import type { ModelChannelCost, ServedModel } from '@tollgate/api'
import { product } from '../../lib/format/money.ts'
import { marginRate } from '../../lib/margin.ts'

type Charged = Pick<
  ServedModel,
  'quota_type' | 'unpriced' | 'model_ratio' | 'completion_ratio' | 'cache_ratio' | 'model_price'
>

/** The channels whose cost of the model is known, the most expensive one first: by input tokens, or by call. */
export function knownCosts(costs: readonly ModelChannelCost[]): readonly ModelChannelCost[] {
  return costs.filter(({ source }) => source !== 'unknown').sort((a, b) => sizeOf(b) - sizeOf(a))
}

function sizeOf({ quota_type, model_price, model_ratio }: ModelChannelCost): number {
  return quota_type === 1 ? model_price : model_ratio
}

/**
 * Returns the smallest share that the price leaves of a charge at one channel, before the ratio of any group: of input, output or
 * cached input. `undefined` where nothing is charged, or where one of the two is per call and the other per token.
 */
export function lowestMargin(row: Charged, cost: ModelChannelCost): number | undefined {
  if (row.unpriced === true || (row.quota_type === 1) !== (cost.quota_type === 1)) return undefined
  if (cost.quota_type === 1) return marginRate(row.model_price, cost.model_price)
  const rates = [
    marginRate(row.model_ratio, cost.model_ratio),
    ofKind(row, cost, row.completion_ratio, cost.completion_ratio),
    ofKind(row, cost, row.cache_ratio ?? 1, cost.cache_ratio),
  ].filter((rate) => rate !== undefined)
  return rates.length === 0 ? undefined : Math.min(...rates)
}

function ofKind(row: Charged, cost: ModelChannelCost, price: number, paid: number): number | undefined {
  return marginRate(product(row.model_ratio, price), product(cost.model_ratio, paid))
}
