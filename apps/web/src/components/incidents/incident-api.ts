import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { calls, type Incident, maxPageSize } from '@tollgate/api'
import { ApiError, request } from '../../lib/api/api-client.ts'

const watchEveryMs = 30_000
/** The key of every list of incidents. */
export const incidentsKey = 'incidents'

/** The open incidents of the reader's parts, and how many are quiet; `undefined` at a node that has none yet. */
export interface OpenIncidents {
  readonly open: readonly Incident[]
  /** Open ones beyond the list. */
  readonly more: number
  readonly quiet: number
}

export const openIncidentsQuery = queryOptions({
  queryKey: [incidentsKey, 'open'],
  queryFn: async ({ signal }): Promise<OpenIncidents | null> => {
    try {
      const query = { state: 'open', p: 1, page_size: maxPageSize } as const
      const { items, total, quiet } = await request(calls.incidents.list, { query, signal })
      // A node of the version before does not count the quiet ones there.
      return { open: items, more: total - items.length, quiet: quiet ?? 0 }
    } catch (error) {
      // During an upgrade a node of the version before may respond.
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  },
  refetchInterval: watchEveryMs,
})

export interface Acceptance {
  readonly id: number
  /** Unix seconds; 0: until it ends. */
  readonly until: number
}

export function acceptIncident({ id, until }: Acceptance): Promise<Incident> {
  return request(calls.incidents.accept, { params: { id }, body: { until } })
}

export function wakeIncident(id: number): Promise<Incident> {
  return request(calls.incidents.wake, { params: { id } })
}

/** Reads every list of incidents again. */
export function refreshIncidents(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [incidentsKey] })
}
