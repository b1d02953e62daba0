import { queryOptions } from '@tanstack/react-query'
import { calls, type ListedUser, logTypes } from '@tollgate/api'
import { request } from '../../../lib/api/api-client.ts'
import { clockHere } from '../../../lib/format/reader-clock.ts'

/** Spend, attempts and keys of one user. */
export function activityQuery(id: number) {
  return queryOptions({
    queryKey: ['users', 'activity', id],
    queryFn: ({ signal }) =>
      request(calls.userAdmin.activity, {
        params: { id },
        query: clockHere(),
        signal,
      }),
    staleTime: 0,
  })
}

const visibleCalls = 5

/** The newest calls of one user, charged and failed ones together. */
export function lastCallsQuery({ id, username }: ListedUser) {
  return queryOptions({
    queryKey: ['users', 'calls', id],
    queryFn: async ({ signal }) => {
      const ofType = (type: number) =>
        request(calls.logs.list, { query: { username, type, p: 1, page_size: visibleCalls }, signal })
      const pages = await Promise.all([ofType(logTypes.consumption), ofType(logTypes.error)])
      return (
        pages
          .flatMap(({ items }) => items)
          // The name may have been another's before.
          .filter((row) => row.user_id === id)
          .sort((a, b) => b.id - a.id)
          .slice(0, visibleCalls)
      )
    },
    staleTime: 0,
  })
}
