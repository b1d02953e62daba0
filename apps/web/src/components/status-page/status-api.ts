import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import { clockHere } from '../../lib/format/reader-clock.ts'

const statusPageKey = 'status-page'
const readAgainMs = 60_000

/** The status page, by the days of this device. Another one for each person, because groups differ. */
export function statusPageQuery(userId: number | undefined) {
  return queryOptions({
    queryKey: [statusPageKey, userId],
    queryFn: ({ signal }) => request(calls.statusPage.read, { query: clockHere(), signal }),
    staleTime: readAgainMs,
    refetchInterval: readAgainMs,
  })
}

/** Reads the page and what is published there again. */
export function refreshStatusPage(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [statusPageKey] })
}

/** The key of every list of published incidents. */
export const managedKey = [statusPageKey, 'managed'] as const
