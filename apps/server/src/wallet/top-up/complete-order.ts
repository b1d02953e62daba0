import { decimalsOf } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { releaseInviterBonus } from '../../accounts/users/invitations.ts'
import { admitGift, type GiftFacts } from '../../accounts/users/manage/near-accounts.ts'
import { mayEdit } from '../../accounts/users/manage/ranks.ts'
import type { Ledger } from '../../billing/ledger-types.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor } from '../../records/audit-log/audit-log.ts'
import { createEventLog } from '../../records/logs/event-log.ts'
import type { Services } from '../../services.ts'
import type { PaidBy, SettledElsewhere, TopUpOrder } from '../../store/money/top-up-orders.ts'
import type { Store } from '../../store/store.ts'
import { moneyText } from './amounts.ts'

/** The source of a payment's confirmation: the provider, by a notice, or an administrator. */
export interface Payment extends PaidBy, Partial<SettledElsewhere> {
  readonly actor?: Actor
}

/**
 * Credits an order once, however many notices confirm it: marks it as paid, credits and logs it in one transaction.
 * Resolves to false when it was paid before. Refuses an administrator who may not give the owner quota either.
 */
export type CompleteOrder = (order: TopUpOrder, payment: Payment) => Promise<boolean>

interface Dependencies extends Pick<Services, 'store' | 'auditLog' | 'clock'> {
  readonly ledger: Pick<Ledger, 'credit'>
}

class PaidBeforeError extends Error {
  override readonly name = 'PaidBeforeError'
}

export function createCompleteOrder(deps: Dependencies): CompleteOrder {
  const { store, ledger, auditLog, clock } = deps
  return async (order, { actor, ...paidBy }) => {
    // Most repeated notices come long after: they need not wait for the account.
    if (order.status === 'success') return false
    const username = (await store.users.find(order.userId))?.username ?? ''
    const at = unixSeconds(clock)
    try {
      await ledger.credit({
        kind: 'user',
        id: order.userId,
        cause: 'top-up',
        amount: order.quota,
        actorId: actor?.userId ?? 0,
        note: order.tradeNo,
        async inTransaction(tx) {
          const facts = actor === undefined ? {} : await admitByRank(tx, actor, order)
          if (!(await tx.topUpOrders.markPaid(order.id, { ...paidBy, at }))) throw new PaidBeforeError()
          const params = { quota: order.quota, paid: paidText(order) }
          const subject = { userId: order.userId, username }
          await createEventLog({ usage: tx.usage, clock }).appendTopUpLog(
            subject,
            { event: 'top_up_paid', params },
            order.quota,
          )
          const gift = await releaseInviterBonus(tx, clock, { id: order.userId, username })
          if (gift !== undefined) await tx.topUpOrders.setGift(order.id, gift)
          if (actor !== undefined) await auditLog.record(actor, completion(order, paidBy, facts), tx)
        },
      })
      return true
    } catch (error) {
      if (error instanceof PaidBeforeError) return false
      throw error
    }
  }
}

/**
 * The rule of ranks that holds for quota: down the ladder, to nobody near the giver, and root for itself. Returns what the audit log
 * says of it.
 */
export async function admitByRank(
  tx: Pick<Store, 'users' | 'auditLog'>,
  actor: Actor,
  { userId }: Pick<TopUpOrder, 'userId'>,
): Promise<GiftFacts> {
  const owner = await tx.users.find(userId)
  const isAllowed = owner === undefined ? actor.role === 'root' : mayEdit(actor, owner)
  if (!isAllowed) throw new Refusal('top_up_rank_too_high')
  return owner === undefined ? {} : await admitGift(tx, actor, owner)
}

function paidText({ moneyMinor, currency }: TopUpOrder): string {
  return `${moneyText(moneyMinor, decimalsOf(currency))} ${currency.toUpperCase()}`
}

function completion(
  { id, tradeNo, status, userId, quota }: TopUpOrder,
  { settledReference: reference, settledReason: reason }: Partial<SettledElsewhere>,
  facts: GiftFacts,
) {
  return {
    action: 'top-up-order.complete',
    target: { kind: 'top-up-order', id, name: tradeNo },
    before: { status, user_id: userId, quota },
    after: {
      ...{ status: 'success', user_id: userId, quota },
      ...(reference && { reference }),
      ...(reason && { reason }),
      ...facts,
    },
  } as const
}
