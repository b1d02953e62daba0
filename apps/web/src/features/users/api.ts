import type { QueryClient } from '@tanstack/react-query'
import {
  calls,
  type ListedUser,
  type ManagedUser,
  type RowOutcome,
  type UserAction,
  userStatuses,
} from '@tollgate/api'
import type { SortState } from '../../components/data-table/columns.ts'
import { type ListSource, listCache, orderOf } from '../../components/list/index.ts'
import { request, requestWithExtra } from '../../lib/api/api-client.ts'
import type { UsersSearch } from './search.ts'

const queryKey = ['users', 'managed'] as const

/** Every page of users in memory. */
export const userLists = listCache<ListedUser>(queryKey)

export type UserFilter = Pick<UsersSearch, 'keyword' | 'group' | 'role' | 'status'>

/** Users, newest first by default; a keyword uses the search call. */
export function usersSource({ keyword, group, role, status }: UserFilter): ListSource<ListedUser> {
  return {
    queryKey,
    filter: { keyword, group, role, status },
    async read({ page, pageSize, sort }, signal) {
      const query = { group, role, ...stateQuery(status), p: page, page_size: pageSize, ...knownOrder(sort) }
      const { items, total } =
        keyword === undefined
          ? await request(calls.userAdmin.list, { query, signal })
          : await request(calls.userAdmin.search, { query: { ...query, keyword }, signal })
      return { rows: items, total }
    },
  }
}

const sortable = ['id', 'username', 'quota', 'used_quota', 'request_count'] as const

/** The order that the call takes; an address may name another. */
function knownOrder(sort: SortState | undefined) {
  const { sort: wanted, order } = orderOf(sort)
  const column = sortable.find((name) => name === wanted)
  return column === undefined ? {} : { sort: column, order }
}

/** Returns the query of a state. Deletion is apart from the status: a banned user who was deleted counts as deleted alone. */
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
