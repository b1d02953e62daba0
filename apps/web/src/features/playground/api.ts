import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'

/** Names of the models the person can reach, in any of their groups. */
export const modelsQuery = queryOptions({
  queryKey: ['playground', 'models'],
  queryFn: ({ signal }) => request(calls.users.models, { signal }),
  staleTime: 60_000,
})

export const groupsQuery = queryOptions({
  queryKey: ['playground', 'groups'],
  queryFn: ({ signal }) => request(calls.users.groups, { signal }),
  staleTime: 60_000,
})
