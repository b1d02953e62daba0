import type { RateLimits, Role, UserStatus } from '@tollgate/api'
import { createBatchLoader } from '../lib/batch-loader.ts'
import { createReadThroughCache } from '../lib/read-through-cache.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import { readUserSetting, type UserSetting } from './user-setting.ts'

/** A user as every call needs to see them, live: a ban or a new role counts from the next call on. */
export interface DirectoryUser extends UserSetting, RateLimits {
  readonly id: number
  readonly username: string
  readonly role: Role
  readonly status: UserStatus
  readonly group: string
  /** Empty when the user has no system access token. */
  readonly accessTokenHash: string
}

export interface UserDirectory {
  /** From memory alone: the user, `null` when there is none, `undefined` when memory does not know. */
  peek(id: number): DirectoryUser | null | undefined
  /** A user who is not deleted. Rejects when the database does not answer. */
  find(id: number): Promise<DirectoryUser | undefined>
}

interface Dependencies {
  readonly store: { readonly users: Pick<Store['users'], 'listByIds'> }
  readonly events: ChangeBus
}

const maximumUsers = 100_000
const absentMs = 5_000

/** A bounded cache of users. The 'user-changed' event drops an entry. */
export function createUserDirectory({ store, events }: Dependencies): UserDirectory {
  const read = createBatchLoader((ids: readonly number[]) => store.users.listByIds(ids))
  const cache = createReadThroughCache<number, DirectoryUser>({
    load: async (id) => toDirectoryUser(await read(id)),
    maximum: maximumUsers,
    absentMs,
  })
  events.subscribe('user-changed', ({ id }) => cache.drop(id))
  return { peek: cache.peek, find: cache.find }
}

function toDirectoryUser(user: User | undefined): DirectoryUser | undefined {
  if (user === undefined || user.deletedAt !== null) return undefined
  const { id, username, role, status, group, accessTokenHash } = user
  const { requestsPerMinute, tokensPerMinute, concurrency } = user
  const limits = { requestsPerMinute, tokensPerMinute, concurrency }
  return { id, username, role, status, group, accessTokenHash, ...limits, ...readUserSetting(user.setting) }
}
