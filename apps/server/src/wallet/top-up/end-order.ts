import { unixSeconds } from '@tollgate/base'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor } from '../../records/audit-log/audit-log.ts'
import type { Services } from '../../services.ts'
import type { TopUpOrder } from '../../store/money/top-up-orders.ts'
import type { CompleteOrder } from './complete-order.ts'
import type { Checkout } from './orders.ts'
import type { PaymentProviders } from './providers.ts'

/** An order's payment elsewhere, as an administrator describes it. */
export interface Settlement {
  /** Empty for a payment that arrived at the provider without a notice. */
  readonly reference: string
  readonly reason: string
}

interface Dependencies extends Pick<Services, 'store' | 'auditLog' | 'clock'> {
  readonly completeOrder: CompleteOrder
  readonly providers: PaymentProviders
}

/** Ends of a pending order otherwise than by a notice: continued, cancelled, or completed by hand. */
export function createEndOrder({ store, auditLog, clock, completeOrder, providers }: Dependencies) {
  async function find(tradeNo: string): Promise<TopUpOrder> {
    const order = await store.topUpOrders.findByTradeNo(tradeNo)
    if (order === undefined) throw new Refusal('record_not_found')
    return order
  }

  async function findOwn(userId: number, tradeNo: string): Promise<TopUpOrder> {
    const order = await store.topUpOrders.findByTradeNo(tradeNo)
    if (order?.userId !== userId) throw new Refusal('record_not_found')
    return order
  }

  /** Sees to it that nobody pays an order that is about to end. */
  async function endPayment(order: TopUpOrder): Promise<void> {
    if (order.status !== 'pending') return
    if ((await providers[order.provider].end(order)) === 'paid') throw new Refusal('top_up_paid_at_provider')
  }

  async function cancelled(order: TopUpOrder, actor?: Actor, reason = ''): Promise<TopUpOrder> {
    if (order.status !== 'pending') throw new Refusal('top_up_not_pending')
    await endPayment(order)
    await store.transaction(async (tx) => {
      if (!(await tx.topUpOrders.markUnpaid(order.id, 'cancelled', unixSeconds(clock))))
        throw new Refusal('top_up_not_pending')
      if (actor !== undefined) await auditLog.record(actor, cancellation(order, reason), tx)
    })
    return await find(order.tradeNo)
  }

  return {
    async resumeOwn(userId: number, tradeNo: string): Promise<Checkout> {
      const order = await findOwn(userId, tradeNo)
      if (order.status !== 'pending') throw new Refusal('top_up_not_pending')
      return await providers[order.provider].resume(order)
    },
    cancelOwn: async (userId: number, tradeNo: string) => await cancelled(await findOwn(userId, tradeNo)),
    cancel: async (actor: Actor, tradeNo: string, reason: string) =>
      await cancelled(await find(tradeNo), actor, reason),
    /** Credits an order by hand, once; returns the order afterwards. */
    async complete(actor: Actor, tradeNo: string, { reference, reason }: Settlement): Promise<TopUpOrder> {
      const order = await find(tradeNo)
      if (reference !== '') await endPayment(order)
      await completeOrder(order, { actor, settledReference: reference, settledReason: reason })
      return await find(tradeNo)
    },
  }
}

export type EndOrder = ReturnType<typeof createEndOrder>

function cancellation({ id, tradeNo, status }: TopUpOrder, reason: string) {
  return {
    action: 'top-up-order.cancel',
    target: { kind: 'top-up-order', id, name: tradeNo },
    before: { status },
    after: { status: 'cancelled', ...(reason !== '' && { reason }) },
  } as const
}
