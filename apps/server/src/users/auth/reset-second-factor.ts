import { roles } from '@tollgate/api'
import type { Actor, AuditLog } from '../../audit-log/audit-log.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Store } from '../../store/store.ts'
import type { ClientInfo, SecurityAlerts } from './security-alerts.ts'

/** Switches off the second factor of somebody who lost it, for administrators above them; its owner is told. */
export type ResetSecondFactor = (actor: Actor, userId: number, by: ClientInfo) => Promise<void>

interface Dependencies {
  readonly store: Pick<Store, 'users' | 'secondFactors' | 'transaction'>
  readonly auditLog: Pick<AuditLog, 'record'>
  readonly notices: Pick<SecurityAlerts, 'tell'>
}

export function createResetSecondFactor({ store, auditLog, notices }: Dependencies): ResetSecondFactor {
  return async (actor, userId, by) => {
    const user = await store.users.find(userId)
    if (user === undefined || user.deletedAt !== null) throw new Refusal('record_not_found')
    // One's own is switched off by a code, root's too.
    if (roles[actor.role] <= roles[user.role]) throw new Refusal('permission_denied')
    if ((await store.secondFactors.find(userId)) === undefined) throw new Refusal('second_factor_off')
    await store.transaction(async (tx) => {
      await tx.secondFactors.delete(userId)
      const target = { kind: 'user', id: userId, name: user.username } as const
      const [before, after] = [{ second_factor: true }, { second_factor: false }]
      await auditLog.record(actor, { action: 'user.reset-second-factor', target, before, after }, tx)
    })
    notices.tell(user, 'second-factor-off', by)
  }
}
