import { amount } from './price-form.ts'
import { type PriceMaps, withEntry } from './prices.ts'

export const batchModes = ['perCall', 'ratio', 'completion', 'both'] as const
export type BatchMode = (typeof batchModes)[number]

/** One price for several models; in `both` the first value is the ratio, the second the completion ratio. */
export interface BatchPrice {
  readonly mode: BatchMode
  readonly first: string
  readonly second: string
}

export type BatchProblem = 'models' | 'number'

export function batchProblem(models: readonly string[], price: BatchPrice): BatchProblem | undefined {
  if (models.length === 0) return 'models'
  const needed = price.mode === 'both' ? [price.first, price.second] : [price.first]
  return needed.some((text) => amount(text) === undefined) ? 'number' : undefined
}

/** Which maps a batch writes, with the value that it writes there. */
function entriesOf({ mode, first, second }: BatchPrice): readonly (readonly [keyof PriceMaps, string])[] {
  if (mode === 'both')
    return [
      ['ratio', first],
      ['completion', second],
    ]
  return [[mode, first]]
}

/** The maps with the price merged in; what else they hold stays. */
export function withBatchPrice(maps: PriceMaps, models: readonly string[], price: BatchPrice): PriceMaps {
  const merged = entriesOf(price).map(([map, text]) => [
    map,
    models.reduce((before, model) => withEntry(before, model, amount(text)), maps[map]),
  ])
  return { ...maps, ...Object.fromEntries(merged) }
}
