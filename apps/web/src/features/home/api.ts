import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'

export const selfQuery = queryOptions({
  queryKey: ['user', 'self'],
  queryFn: ({ signal }) => request(calls.users.self, { signal }),
})

/** Whether the person has a key, and the installation a channel: one row is enough to know. */
export const anyTokenQuery = queryOptions({
  queryKey: ['home', 'any-token'],
  queryFn: async ({ signal }) =>
    (await request(calls.tokens.list, { query: { size: 1 }, signal })).length > 0,
  staleTime: 0,
})

export const anyChannelQuery = queryOptions({
  queryKey: ['home', 'any-channel'],
  queryFn: async ({ signal }) =>
    (await request(calls.channels.list, { query: { page_size: 1 }, signal })).length > 0,
  staleTime: 0,
})
