import type { AdminPart, RateLimits, Role, UserStatus } from '@tollgate/api'
import { createBatchLoader } from '../../lib/async/batch-loader.ts'
import { createReadThroughCache } from '../../lib/async/read-through-cache.ts'
import type { Services } from '../../services.ts'
import type { User } from '../../store/accounts/users.ts'
import { partsOf } from './admin-parts.ts'
import { readUserSetting, type UserSetting } from './user-setting.ts'

/** The fields of a user that calls need, live: a ban or a new role counts from the next call on. */
export interface DirectoryUser extends UserSetting, RateLimits {
  readonly id: number
  readonly username: string
  readonly role: Role
  /** Parts of an administrator. */
  readonly parts: readonly AdminPart[]
  readonly status: UserStatus
  readonly group: string
}

const maxUsers = 100_000
const absentMs = 5_000

/** A bounded cache of users. The 'user-changed' event drops an entry. */
export function createUserDirectory({ store, bus }: Pick<Services, 'store' | 'bus'>) {
  const read = createBatchLoader((ids: readonly number[]) => store.users.listByIds(ids))
  const cache = createReadThroughCache<number, DirectoryUser>({
    load: async (id) => toDirectoryUser(await read(id)),
    max: maxUsers,
    absentMs,
  })
  bus.subscribe('user-changed', ({ id }) => cache.drop(id))
  bus.subscribe('everything-changed', () => cache.clear())
  return {
    /** Returns the user from memory alone: `null` when there is none, `undefined` when memory does not know. */
    peek: cache.peek,
    /** A user who is not deleted. Rejects when the database does not respond. */
    find: cache.find,
  }
}

export type UserDirectory = ReturnType<typeof createUserDirectory>

function toDirectoryUser(user: User | undefined): DirectoryUser | undefined {
  if (user === undefined || user.deletedAt !== null) return undefined
  const { id, username, role, status, group } = user
  const { requestsPerMinute, tokensPerMinute, concurrency } = user
  const limits = { requestsPerMinute, tokensPerMinute, concurrency }
  return {
    id,
    username,
    role,
    parts: partsOf(user),
    status,
    group,
    ...limits,
    ...readUserSetting(user.setting),
  }
}
