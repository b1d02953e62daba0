import type { LogEvent } from '@tollgate/api/log-events'
import { type Clock, unixSeconds } from '@tollgate/base'
import { amountText } from '../../billing/amount-text.ts'
import type { Ledger } from '../../billing/ledger-types.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createEventLog } from '../../records/logs/event-log.ts'
import type { Services } from '../../services.ts'
import type { PendingShare } from '../../store/accounts/invitations.ts'
import type { User } from '../../store/accounts/users.ts'
import { DuplicateError } from '../../store/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import { inviteCodeLength } from './create-account.ts'

interface Dependencies extends Pick<Services, 'store' | 'settings'> {
  readonly ledger: Pick<Ledger, 'credit'>
}

export function createInvitations({ store, settings, ledger }: Dependencies) {
  /** Draws again, once, when another user has the code: with so many codes that hardly ever happens. */
  async function ensureCode(userId: number): Promise<string | undefined> {
    const draw = () => store.users.ensureInviteCode(userId, randomAlphanumerics(inviteCodeLength))
    return draw().catch((error: unknown) => {
      if (error instanceof DuplicateError) return draw()
      throw error
    })
  }

  return {
    /** The user's invite code; created when there is none yet. */
    async codeOf({ id, affCode }: User): Promise<string> {
      if (affCode !== '') return affCode
      const code = await ensureCode(id)
      if (code === undefined) throw new Refusal('record_not_found')
      return code
    },

    /** Moves `quota` of the invitation earnings to the balance; both or neither. */
    async transfer(userId: number, quota: Quota): Promise<void> {
      const min = Math.ceil(settings.current.QuotaPerUnit)
      if (quota < min)
        throw new Refusal('transfer_below_minimum', { minimum: amountText(min, settings.current) })
      await ledger.credit({
        kind: 'user',
        id: userId,
        cause: 'transfer',
        amount: quota,
        actorId: userId,
        note: 'invitations',
        async inTransaction(tx) {
          if (!(await tx.users.takeInvitationQuota(userId, quota)))
            throw new Refusal('transfer_exceeds_earnings')
        },
      })
    },
  }
}

/**
 * Gives an inviter the share that was held until the invitee paid; once, and nothing where none was held. In the
 * transaction of the payment. Returns the gift.
 */
export async function releaseInviterBonus(
  tx: Pick<Store, 'users' | 'usage'>,
  clock: Clock,
  invitee: Pick<User, 'id' | 'username'>,
): Promise<PendingShare | undefined> {
  const share = await tx.users.takePendingInviterBonus(invitee.id)
  if (share === undefined || !(await tx.users.addInvitationQuota(share.inviterId, share.quota))) return
  await logGift(tx, clock, share, { event: 'gift_inviter_paid', params: giftOf(share, invitee) }, share.quota)
  return share
}

/**
 * Takes a released gift back, because the payment was; the next payment releases it again. The inviter's earnings may fall below
 * zero. In the transaction that takes the payment back.
 */
export async function holdInviterBonusAgain(
  tx: Pick<Store, 'users' | 'usage'>,
  clock: Clock,
  invitee: Pick<User, 'id' | 'username'>,
  gift: PendingShare,
): Promise<void> {
  if (!(await tx.users.addInvitationQuota(gift.inviterId, -gift.quota))) return
  await tx.users.addPendingInviterBonus(invitee.id, gift, unixSeconds(clock))
  await logGift(tx, clock, gift, { event: 'gift_taken_back', params: giftOf(gift, invitee) })
}

function giftOf({ quota }: PendingShare, { id, username: name }: Pick<User, 'id' | 'username'>) {
  return { quota, invitee: { id, name } }
}

async function logGift(
  tx: Pick<Store, 'users' | 'usage'>,
  clock: Clock,
  { inviterId }: PendingShare,
  event: LogEvent,
  quota?: Quota,
): Promise<void> {
  const inviter = await tx.users.find(inviterId)
  const subject = { userId: inviterId, username: inviter?.username ?? '' }
  await createEventLog({ usage: tx.usage, clock }).appendSystemLog(subject, event, quota)
}
