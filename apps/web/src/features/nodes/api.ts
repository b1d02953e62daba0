import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'

/** A heartbeat is two seconds apart; the page need not be quicker. */
const refreshMs = 5000

export const nodesQuery = queryOptions({
  queryKey: ['nodes'],
  queryFn: ({ signal }) => request(calls.nodes.list, { signal }),
  refetchInterval: refreshMs,
})
