import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { RowOutcome } from '@tollgate/api'
import { type ListCache, listCache } from './list-cache.ts'

export type StatusAction = 'enable' | 'disable' | 'delete'

/** Calls for one record of a resource, and for many. */
export interface ResourceCalls<Row> {
  readonly get: (id: number, signal: AbortSignal) => Promise<Row>
  /** Changes the status and nothing else. */
  readonly setStatus: (id: number, status: number) => Promise<Row>
  readonly remove: (id: number) => Promise<unknown>
  readonly changeMany: (action: StatusAction, ids: number[]) => Promise<{ readonly extra: BulkExtra }>
}

interface BulkExtra {
  readonly outcomes: readonly RowOutcome[]
}

/** The calls of a resource with the cache of its lists. `queryKey` names all of its queries. */
export function resourceApi<Row extends { readonly id: number }>(
  queryKey: QueryKey,
  calls: ResourceCalls<Row>,
  lists: ListCache<Row> = listCache<Row>(queryKey),
) {
  return {
    ...calls,
    lists,
    one: (client: QueryClient, id: number) => lists.one(client, id, calls.get),
    /** The same for many records by one call; returns what became of each. */
    async changeMany(action: StatusAction, ids: readonly number[]): Promise<readonly RowOutcome[]> {
      const { extra } = await calls.changeMany(action, [...ids])
      return extra.outcomes
    },
  }
}

export type ResourceApi<Row extends { readonly id: number }> = ReturnType<typeof resourceApi<Row>>
