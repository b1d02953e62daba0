import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { calls, type ModelPrice, type PriceSave } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'

export const servedModelsQuery = queryOptions({
  queryKey: ['models', 'prices'],
  queryFn: ({ signal }) => request(calls.modelPrices.list, { signal }),
})

/** Reads the costs of the models for the operator, channel by channel. */
export const modelCostsQuery = queryOptions({
  queryKey: ['models', 'costs'],
  queryFn: ({ signal }) => request(calls.margins.costs, { signal }),
})

/**
 * `null` removes the price.
 * @param base the price that the person saw
 * @param more what changes beside the price: by time, beside tokens, and of costs
 */
export async function savePrice(
  client: QueryClient,
  model: string,
  price: ModelPrice | null,
  base: ModelPrice,
  more: Omit<PriceSave, 'model_name' | 'price' | 'base'> = {},
): Promise<void> {
  await request(calls.modelPrices.save, { body: { model_name: model, price, base, ...more } })
  // The options hold it, and every list of prices shows it.
  for (const queryKey of [['models'], ['pricing'], ['settings']]) await client.invalidateQueries({ queryKey })
}
