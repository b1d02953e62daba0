import { type UserSearchQuery, userResource } from '@tollgate/api'
import { Refusal } from '../../../lib/refusal.ts'
import type { User, UserPageFilter } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import { activeUser } from '../stored-users.ts'
import { mayRead, type Ranked } from './ranks.ts'

interface Dependencies {
  readonly store: Pick<Store, 'users'>
}

type UserQuery = Partial<UserSearchQuery> & Pick<UserSearchQuery, 'p' | 'page_size' | 'sort' | 'order'>

/** A page of all users, deleted ones included unless filtered, and the inviters of the page by id. */
export async function listUsers({ store }: Dependencies, query: UserQuery) {
  const { p, page_size: limit, sort, order } = query
  const paging = {
    sort: userResource.sortField(sort),
    descending: order === 'desc',
    offset: (p - 1) * limit,
    limit,
  }
  const { rows, total } = await store.users.page(filterOf(query), paging)
  return { rows, total, inviters: await invitersOf({ store }, rows) }
}

function filterOf({ keyword, deleted, ...query }: Partial<UserSearchQuery>): UserPageFilter {
  const trimmed = keyword?.trim() ?? ''
  return {
    keyword: trimmed === '' ? undefined : trimmed,
    fields: userResource.filterValues(query),
    deleted: deleted === undefined ? undefined : deleted === 'true',
  }
}

/** A user who is not deleted; refuses a reader of too low a rank. */
export async function getManagedUser({ store }: Dependencies, reader: Ranked, id: number): Promise<User> {
  const user = activeUser(await store.users.find(id))
  if (!mayRead(reader, user)) throw new Refusal('user_not_readable')
  return user
}

/** The inviters of these users by id, deleted ones included. */
export async function invitersOf(
  { store }: Dependencies,
  users: readonly User[],
): Promise<ReadonlyMap<number, User>> {
  const ids = new Set(users.map(({ inviterId }) => inviterId))
  ids.delete(0)
  return ids.size === 0 ? new Map() : store.users.listByIds([...ids])
}
