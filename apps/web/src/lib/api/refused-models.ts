import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from './api-client.ts'

/** Served models whose calls were refused in the last day because nobody set a price. For administrators. */
export const refusedModelsQuery = queryOptions({
  queryKey: ['models', 'refused'],
  queryFn: ({ signal }) => request(calls.modelPrices.refused, { signal }),
  refetchInterval: 60_000,
})
