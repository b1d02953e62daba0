import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'

/** The person's invite code; the server makes one where there is none. */
export const inviteCodeQuery = queryOptions({
  queryKey: ['personal', 'invite-code'],
  queryFn: ({ signal }) => request(calls.accounts.inviteCode, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const secondFactorQuery = queryOptions({
  queryKey: ['personal', 'second-factor'],
  queryFn: ({ signal }) => request(calls.secondFactor.status, { signal }),
})

export const passkeysQuery = queryOptions({
  queryKey: ['personal', 'passkeys'],
  queryFn: ({ signal }) => request(calls.passkeys.list, { signal }),
})

export const accessTokensQuery = queryOptions({
  queryKey: ['personal', 'access-tokens'],
  queryFn: ({ signal }) => request(calls.accessTokens.list, { signal }),
})

/** The newest security events of the account. */
export const eventsQuery = (count: number) =>
  queryOptions({
    queryKey: ['personal', 'events', count],
    queryFn: ({ signal }) => request(calls.securityEvents.listSelf, { query: { page_size: count }, signal }),
  })

export const sessionsQuery = queryOptions({
  queryKey: ['personal', 'sessions'],
  queryFn: ({ signal }) => request(calls.sessions.list, { signal }),
})
