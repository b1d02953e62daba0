import { tokenPriceKinds } from '../models/price-kinds.ts'
import { accepted, refused } from './setting.ts'
import { isJsonObject, type JsonShape, mapOf } from './shapes.ts'

/** A ratio of a cost by tokens; one that is absent is the vendor's. */
export type CostRatio = Exclude<(typeof tokenPriceKinds)[number]['cost'], 'model_ratio'>
export const costRatios: readonly CostRatio[] = tokenPriceKinds.flatMap(({ cost }) =>
  cost === 'model_ratio' ? [] : [cost],
)

/** Costs of a model for the operator, in the units of prices: per call, or per token. */
export type ModelCost =
  | { readonly model_price: number; readonly model_ratio?: undefined }
  | ({ readonly model_ratio: number; readonly model_price?: undefined } & {
      readonly [Ratio in CostRatio]?: number
    })

const maxCost = 100_000

/** Model as its upstream calls it → its cost. */
export const modelCosts: JsonShape<Readonly<Record<string, ModelCost>>> = mapOf((value, entry) =>
  isModelCost(value)
    ? accepted(Object.freeze({ ...value }))
    : refused('option_entry_model_cost', { entry, names: costRatios, max: maxCost }),
)

function isModelCost(value: unknown): value is ModelCost {
  if (!isJsonObject(value)) return false
  const entries = Object.entries(value)
  const allowed: readonly string[] = Object.hasOwn(value, 'model_ratio')
    ? ['model_ratio', ...costRatios]
    : ['model_price']
  return entries.length > 0 && entries.every(([name, cost]) => allowed.includes(name) && isCost(cost))
}

function isCost(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= maxCost
}
