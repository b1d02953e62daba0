import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from './api-client.ts'

/** The account of the person who is logged in: figures, bindings and settings. */
export const accountQuery = queryOptions({
  queryKey: ['user', 'self'],
  queryFn: ({ signal }) => request(calls.users.self, { signal }),
})

/** Names of the models that the person's keys can call, in any of their groups. */
export const ownModelsQuery = queryOptions({
  queryKey: ['user', 'models'],
  queryFn: ({ signal }) => request(calls.users.models, { signal }),
})

/** The groups that the person may use, with ratios and descriptions. */
export const ownGroupsQuery = queryOptions({
  queryKey: ['user', 'groups'],
  queryFn: ({ signal }) => request(calls.users.groups, { signal }),
})

/** Names of all groups, for administrators. */
export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => request(calls.groups.list, { signal }),
})
