import { Refusal } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import type { Services } from '../../../services.ts'
import type { User } from '../../../store/accounts/users.ts'

/**
 * Undoes the deletion of an account with everything that it had: keys, balance, identities, passkeys, settings. Log-ins and access tokens for the
 * console ended with it. Throws `Refusal` for one that is not deleted, was erased, or is part of another one.
 */
export async function bringBack(
  { store, auditLog }: Pick<Services, 'store' | 'auditLog'>,
  actor: Actor,
  id: number,
): Promise<User> {
  return await store.transaction(async (tx) => {
    const user = await tx.users.lock(id)
    if (user === undefined) throw new Refusal('user_unknown')
    if (user.deletedAt === null) throw new Refusal('user_not_deleted', { name: user.username })
    if (user.erasedAt !== null) throw new Refusal('user_erased')
    const into = await tx.people.mergedInto(id)
    if (into !== undefined) throw new Refusal('user_merged', { id: into })
    await tx.users.update(id, { deletedAt: null })
    const { role, status, deletedAt } = user
    const target = { kind: 'user', id, name: user.username } as const
    const before = { role, status, deletedAt }
    await auditLog.record(
      actor,
      { action: 'user.restore', target, before, after: { ...before, deletedAt: null } },
      tx,
    )
    return { ...user, deletedAt: null }
  })
}
