import { queryOptions } from '@tanstack/react-query'
import { calls, type ManagedIncident } from '@tollgate/api'
import type { ListSource } from '../../../components/list/use-list.ts'
import { managedKey } from '../../../components/status-page/status-api.ts'
import { request } from '../../../lib/api/api-client.ts'

/** Lists what was published, page by page. */
export function publishedSource(state: 'open' | 'ended' | undefined): ListSource<ManagedIncident> {
  return {
    queryKey: managedKey,
    filter: { state },
    async read({ page, pageSize }, signal) {
      const query = { state, p: page, page_size: pageSize }
      const { items, total } = await request(calls.statusPage.list, { query, signal })
      return { rows: items, total }
    },
  }
}

/** Models and times that are proposed for a cause; nothing for an incident without one. */
export function draftQuery(causeId: number) {
  return queryOptions({
    queryKey: [...managedKey, 'draft', causeId],
    queryFn: ({ signal }) => {
      if (causeId === 0) return { models: [], started_at: 0, ended_at: 0 }
      return request(calls.statusPage.draft, { params: { id: causeId }, signal })
    },
    // What is being typed is not proposed anew.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
}

/** Puts an incident on the page, or takes it off. */
export function setPublished({ id, published }: Pick<ManagedIncident, 'id' | 'published'>) {
  return request(published ? calls.statusPage.publish : calls.statusPage.unpublish, { params: { id } })
}
