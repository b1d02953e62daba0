import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'

/** The own account: figures, bindings and settings. */
export const accountQuery = queryOptions({
  queryKey: ['user', 'self'],
  queryFn: ({ signal }) => request(calls.users.self, { signal }),
})

/** Models that the own keys can reach. */
export const modelsQuery = queryOptions({
  queryKey: ['personal', 'models'],
  queryFn: ({ signal }) => request(calls.users.models, { signal }),
})

export const groupsQuery = queryOptions({
  queryKey: ['personal', 'groups'],
  queryFn: ({ signal }) => request(calls.users.groups, { signal }),
})

/** Made by the server when there is none yet. */
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

export const sessionsQuery = queryOptions({
  queryKey: ['personal', 'sessions'],
  queryFn: ({ signal }) => request(calls.sessions.list, { signal }),
})
