import type { Clock } from '@tollgate/base'
import { createEventLog } from '../logs/event-log.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'

/**
 * Gives an inviter the share that was held until the invitee paid; once, and nothing where none was held. In the
 * transaction of the payment.
 */
export async function releaseInviterBonus(
  tx: Pick<Store, 'users' | 'usage'>,
  clock: Clock,
  invitee: Pick<User, 'id' | 'username'>,
): Promise<void> {
  const share = await tx.users.takePendingInviterBonus(invitee.id)
  if (share === undefined || !(await tx.users.addInvitationQuota(share.inviterId, share.quota))) return
  const inviter = await tx.users.find(share.inviterId)
  const subject = { userId: share.inviterId, username: inviter?.username ?? '' }
  const content = `Gift for inviting ${invitee.username}, who has paid`
  await createEventLog({ usage: tx.usage, clock }).appendSystemLog(subject, content, share.quota)
}
