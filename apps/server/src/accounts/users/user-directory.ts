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

interface WatchDependencies extends Pick<Services, 'bus' | 'logger'> {
  readonly users: Pick<UserDirectory, 'find'>
}

/**
 * Creates a watch for long calls: it calls `tell` when their user is banned or the account closed. Returns a function that ends this.
 */
export function createUserWatch({ bus, users, logger }: WatchDependencies) {
  return (userId: number, tell: () => void): (() => void) => {
    const look = () => {
      users
        .find(userId)
        .then((user) => (user === undefined || user.status === 'banned') && tell())
        .catch((err: unknown) =>
          logger.warn(
            { err, userId },
            'this changed account cannot be read, and its former state holds for some seconds: check the database',
          ),
        )
    }
    const ends = [
      bus.subscribe('user-changed', ({ id }) => id === userId && look()),
      bus.subscribe('everything-changed', look),
    ]
    return () => {
      for (const end of ends) end()
    }
  }
}
