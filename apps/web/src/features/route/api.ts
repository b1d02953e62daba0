import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { calls, type RouteChange } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import type { RouteSearch } from './search.ts'

/** Models that channels serve. */
export const servedModelsQuery = queryOptions({
  queryKey: ['models', 'prices'],
  queryFn: ({ signal }) => request(calls.modelPrices.list, { signal }),
})

/** The person's own keys, to choose one from. */
export const ownKeysQuery = queryOptions({
  queryKey: ['tokens', 'route'],
  queryFn: ({ signal }) => request(calls.tokens.list, { query: { p: 0, size: 100 }, signal }),
})

export const previewQuery = ({ model, group, key }: RouteSearch) =>
  queryOptions({
    queryKey: ['route', 'preview', model, group, key],
    queryFn: ({ signal }) =>
      request(calls.routes.preview, { query: { model, group, token_id: key }, signal }),
    enabled: model !== undefined,
    refetchInterval: 10_000,
  })

export const whatIfQuery = (group: string, model: string, changes: readonly RouteChange[]) =>
  queryOptions({
    queryKey: ['route', 'what-if', group, model, changes],
    queryFn: ({ signal }) =>
      request(calls.routes.whatIf, { body: { group, model, changes: [...changes] }, signal }),
    placeholderData: keepPreviousData,
  })

/** Saves priorities and weights, one channel after the other. */
export async function applyChanges(changes: readonly RouteChange[]): Promise<void> {
  for (const { id, priority, weight } of changes)
    await request(calls.channels.update, { body: { id, priority, weight } })
}
