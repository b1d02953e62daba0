import type { QueryClient } from '@tanstack/react-query'
import {
  calls,
  type ListedUser,
  type ManagedUser,
  type RowOutcome,
  type UserAction,
  userFilters,
  userStatuses,
} from '@tollgate/api'
import { filtersIn, type ListSource, listCache, orderOf } from '../../components/list/index.ts'
import { request, requestWithExtra } from '../../lib/api/api-client.ts'
import type { UsersSearch } from './search.ts'

const queryKey = ['users', 'managed'] as const

/** Every page of users in memory. */
export const userLists = listCache<ListedUser>(queryKey)

export type UserFilter = Pick<UsersSearch, 'keyword' | 'status'>

/** Users, newest first by default; a keyword uses the search call. */
export function usersSource(search: UserFilter): ListSource<ListedUser> {
  const { keyword, status } = search
  const declared = filtersIn(userFilters, search)
  return {
    queryKey,
    filter: { ...declared, keyword, status },
    async read({ page, pageSize, sort }, signal) {
      const query = {
        ...{ ...declared, status: undefined, ...stateQuery(status) },
        ...{ p: page, page_size: pageSize },
        // The call takes an order that it does not know for its own.
        ...(orderOf(sort) as object),
      }
      const { items, total } =
        keyword === undefined
          ? await request(calls.userAdmin.list, { query, signal })
          : await request(calls.userAdmin.search, { query: { ...query, keyword }, signal })
      return { rows: items, total }
    },
  }
}

/** Deletion is apart from the status: a banned user who was deleted counts as deleted alone. */
function stateQuery(state: UserFilter['status']) {
  switch (state) {
    case undefined:
      return {}
    case 'active':
      return { status: userStatuses.enabled, deleted: 'false' as const }
    case 'banned':
      return { status: userStatuses.banned, deleted: 'false' as const }
    case 'deleted':
      return { deleted: 'true' as const }
  }
}

/** One user: at once as the list knows them, then as the server does. */
export const userQuery = (client: QueryClient, id: number) =>
  userLists.one(client, id, (id, signal) => request(calls.userAdmin.get, { params: { id }, signal }))

export function manageUser(id: number, action: UserAction): Promise<ManagedUser> {
  return request(calls.userAdmin.manage, { body: { id, action } })
}

/** The same to many users by one call. */
export async function manageUsers(
  action: UserAction,
  ids: readonly number[],
): Promise<readonly RowOutcome[]> {
  const { extra } = await requestWithExtra(calls.userAdmin.manageBatch, { body: { action, ids: [...ids] } })
  return extra.outcomes
}
