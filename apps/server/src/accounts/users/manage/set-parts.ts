import { type AdminPart, adminPartNames } from '@tollgate/api'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import type { Services } from '../../../services.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import { wireParts, writtenParts } from '../admin-parts.ts'

type Dependencies = Pick<Services, 'store' | 'auditLog' | 'bus'>

/**
 * Gives an administrator these parts, and no others; they count from the next call on. Throws `Refusal` for whoever is no administrator.
 */
export async function setParts(
  { store, auditLog, bus }: Dependencies,
  actor: Actor,
  id: number,
  parts: readonly AdminPart[],
): Promise<User> {
  const changed = await store.transaction(async (tx) => {
    const user = await lockAdministrator(tx, id)
    const adminParts = writtenParts(parts)
    await tx.users.update(id, { adminParts })
    const target = { kind: 'user', id, name: user.username } as const
    const [before, after] = [user, { ...user, adminParts }].map((one) => ({ parts: wireParts(one) }))
    await auditLog.record(actor, { action: 'user.set-parts', target, before, after }, tx)
    return { ...user, adminParts }
  })
  bus.publish('user-changed', { id })
  return changed
}

/**
 * Makes an administrator root in the actor's place, who becomes an administrator with every part. There is one root before, during and after
 * it.
 */
export async function passRoot(
  { store, auditLog, bus }: Dependencies,
  actor: Actor,
  id: number,
): Promise<User> {
  const { userId: actorId } = actor
  const heir = await store.transaction(async (tx) => {
    const locked = await tx.users.lockByIds([actorId, id])
    // Another call may have passed it on a moment ago.
    if (locked.get(actorId)?.role !== 'root') throw new Refusal('permission_denied')
    const heir = administrator(locked.get(id))
    await tx.users.update(actorId, { role: 'admin', adminParts: writtenParts(adminPartNames) })
    await tx.users.update(id, { role: 'root', adminParts: '' })
    const target = { kind: 'user', id, name: heir.username } as const
    const [before, after] = [
      { role: heir.role, root: actorId },
      { role: 'root', root: id },
    ]
    await auditLog.record(actor, { action: 'user.pass-root', target, before, after }, tx)
    return { ...heir, role: 'root', adminParts: '' } as const
  })
  for (const changed of [actorId, id]) bus.publish('user-changed', { id: changed })
  return heir
}

async function lockAdministrator(tx: Store, id: number): Promise<User> {
  return administrator(await tx.users.lock(id))
}

function administrator(user: User | undefined): User {
  if (user === undefined || user.deletedAt !== null) throw new Refusal('user_unknown')
  if (user.role !== 'admin' || user.status !== 'enabled') throw new Refusal('user_not_administrator')
  return user
}
