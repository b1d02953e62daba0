import type { UserSearchQuery } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'
import type { UserFilter } from '../../store/user-listing.ts'
import { mayRead, type Ranked } from './ranks.ts'

interface Dependencies {
  readonly store: { readonly users: Pick<Store['users'], 'find' | 'page'> }
}

export interface UserPage {
  readonly users: readonly User[]
  readonly total: number
}

/** A page of everybody, deleted users included unless filtered. */
export function listUsers(
  { store }: Dependencies,
  query: Partial<UserSearchQuery> & UserPaging,
): Promise<UserPage> {
  const { p, page_size: limit, sort, order } = query
  return store.users
    .page(filterOf(query), { sort, descending: order === 'desc', offset: (p - 1) * limit, limit })
    .then(({ rows, total }) => ({ users: rows, total }))
}

type UserPaging = Pick<UserSearchQuery, 'p' | 'page_size' | 'sort' | 'order'>

function filterOf({ keyword, role, status, group, deleted }: Partial<UserSearchQuery>): UserFilter {
  const trimmed = keyword?.trim() ?? ''
  return {
    ...(trimmed !== '' && { keyword: trimmed }),
    ...(role !== undefined && { role }),
    ...(status !== undefined && { status }),
    ...(group !== undefined && { group }),
    ...(deleted !== undefined && { deleted: deleted === 'true' }),
  }
}

/** A user who is not deleted, for somebody who may look at them. */
export async function getManagedUser({ store }: Dependencies, reader: Ranked, id: number): Promise<User> {
  const user = await store.users.find(id)
  if (user === undefined || user.deletedAt !== null) throw new Refusal('record_not_found')
  if (!mayRead(reader, user)) throw new Refusal('user_not_readable')
  return user
}

/** Whoever invited these users, deleted ones included, by id: one look-up for all, and none where nobody was invited. */
export async function invitersOf(
  { store }: { readonly store: { readonly users: Pick<Store['users'], 'listByIds'> } },
  users: readonly User[],
): Promise<ReadonlyMap<number, User>> {
  const ids = new Set(users.map(({ inviterId }) => inviterId))
  ids.delete(0)
  return ids.size === 0 ? new Map() : store.users.listByIds([...ids])
}
