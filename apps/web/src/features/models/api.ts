import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { calls, type ModelPrice } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import type { timesChange } from './price-form.ts'

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
 * @param times what changes of the prices by time
 */
export async function savePrice(
  client: QueryClient,
  model: string,
  price: ModelPrice | null,
  base: ModelPrice,
  times: ReturnType<typeof timesChange> = {},
): Promise<void> {
  await request(calls.modelPrices.save, { body: { model_name: model, price, base, ...times } })
  // The options hold it, and every list of prices shows it.
  for (const queryKey of [['models'], ['pricing'], ['settings']]) await client.invalidateQueries({ queryKey })
}
