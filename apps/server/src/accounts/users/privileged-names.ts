import { Refusal } from '../../lib/refusal.ts'
import type { User } from '../../store/accounts/users.ts'
import type { Store } from '../../store/store.ts'
import { skeletonOf } from './confusables.ts'

/** The name that people expect of whoever runs a system, even where nobody has it. */
const reserved = 'root'

/** The account that gets the name; without an id until it is stored. */
type Bearer = Pick<User, 'username' | 'role'> & Partial<Pick<User, 'id'>>

/**
 * Refuses a name that people would take for that of an administrator: every account of that rank, and `root`. Every way to
 * create or rename an account calls it in the transaction that writes the name.
 */
export async function refusePrivilegedLookalike(tx: Pick<Store, 'users'>, bearer: Bearer): Promise<void> {
  if (await isPrivilegedLookalike(tx, bearer)) throw new Refusal('username_like_administrator')
}

/** Decides whether people would take the name for that of an administrator who is somebody else. */
export async function isPrivilegedLookalike(
  { users }: Pick<Store, 'users'>,
  { id, username, role }: Bearer,
): Promise<boolean> {
  const privileged = await users.listPrivileged()
  if (privileged.some((other) => other.username === username)) return false
  const skeleton = skeletonOf(username)
  if (skeleton === skeletonOf(reserved) && role !== 'root') return true
  if (username === reserved) return false
  return privileged.some((other) => other.id !== id && skeletonOf(other.username) === skeleton)
}
