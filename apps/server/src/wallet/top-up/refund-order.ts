import { decimalsOf, type RefusalCode } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditEvent } from '../../records/audit-log/audit-log.ts'
import type { Services } from '../../services.ts'
import type { TopUpOrder } from '../../store/money/top-up-orders.ts'
import { minorOf, moneyText } from './amounts.ts'
import { admitByRank } from './complete-order.ts'
import type { PaymentProviders, RefundingProvider } from './providers.ts'
import { type ReverseByHand, type ReverseOrder, storedTakenBack, type TakenBack } from './reverse-order.ts'

/** A refund as an administrator orders it. */
export interface RefundOrder {
  readonly tradeNo: string
  /** Decimal text of the order's currency. */
  readonly money: string
  /** Refunded before, as the administrator saw it. */
  readonly seenRefunded: string
  /** Set for money that was returned otherwise than by the provider's API. */
  readonly isByHand: boolean
  readonly reason: string
}

interface Dependencies extends Pick<Services, 'store' | 'auditLog'> {
  readonly providers: PaymentProviders
  readonly reverseOrder: ReverseOrder
  readonly reverseByHand: ReverseByHand
}

interface Step {
  readonly actor: Actor
  readonly order: TopUpOrder
  readonly moneyMinor: number
  readonly reason: string
}

/** Refunds of paid orders, by their provider or recorded by hand, and the way back of the latter. */
export function createRefundOrder(deps: Dependencies) {
  const { store, auditLog, providers, reverseByHand } = deps

  async function find(tradeNo: string): Promise<TopUpOrder> {
    const order = await store.topUpOrders.findByTradeNo(tradeNo)
    if (order === undefined) throw new Refusal('record_not_found')
    return order
  }

  /** Returns what the provider took back, which it alone knows of a payment of which nothing is left. */
  function takenBack(order: TopUpOrder): TakenBack | Promise<TakenBack> {
    const { refunds } = providers[order.provider]
    const isWhole = order.refundedMinor + order.disputedMinor >= order.moneyMinor
    if (!isWhole || refunds === undefined || order.paymentId === '') return storedTakenBack(order)
    return refunds.takenBackOf(order)
  }

  async function byHand(
    { actor, order, moneyMinor, reason }: Step,
    action: 'refund' | 'undo',
  ): Promise<void> {
    const change = action === 'refund' ? moneyMinor : -moneyMinor
    const handRefundedMinor = order.handRefundedMinor + change
    const wanted = { handRefundedMinor, byProvider: await takenBack(order) }
    await reverseByHand(order, wanted, async (tx) => {
      const facts = await admitByRank(tx, actor, order)
      await auditLog.record(actor, refundEvent(order, change, { way: 'by-hand', reason, ...facts }), tx)
    })
  }

  return {
    /** Returns the order afterwards. */
    async refund(actor: Actor, wanted: RefundOrder): Promise<TopUpOrder> {
      const order = await find(wanted.tradeNo)
      const step = { actor, order, moneyMinor: refundedBy(order, wanted), reason: wanted.reason }
      const { refunds } = providers[order.provider]
      if (wanted.isByHand) await byHand(step, 'refund')
      // Nothing is recorded in place of money that the caller believes is on its way.
      else if (refunds === undefined || order.paymentId === '') throw new Refusal('top_up_refund_by_hand')
      else await refundAtProvider(deps, refunds, step)
      return await find(order.tradeNo)
    },
    /** Takes the record of a refund by hand back. */
    async undo(actor: Actor, tradeNo: string, moneyMinor: number): Promise<void> {
      const order = await find(tradeNo)
      if (order.handRefundedMinor < moneyMinor) throw new Refusal('audit_changed_since')
      await byHand({ actor, order, moneyMinor, reason: '' }, 'undo')
    },
  }
}

export type OrderRefunds = ReturnType<typeof createRefundOrder>

/** The refund's amount in the smallest unit; refuses what is more than is left of the payment, and a base that is not current. */
function refundedBy(order: TopUpOrder, { money, seenRefunded }: RefundOrder): number {
  if (order.status !== 'success') throw new Refusal('top_up_not_paid')
  const decimals = decimalsOf(order.currency)
  if (minorOf(seenRefunded, decimals) !== order.refundedMinor) throw new Refusal('top_up_changed')
  const left = order.moneyMinor - order.refundedMinor - order.disputedMinor
  const minor = minorOf(money, decimals)
  if (minor === undefined || minor < 1 || minor > left)
    throw new Refusal('top_up_refund_amount', {
      max: `${moneyText(left, decimals)} ${order.currency.toUpperCase()}`,
    })
  return minor
}

/**
 * Has the provider return the money, then follows its state. The key is of the order's revision: administrators who refund at once, from the same
 * figures, make one refund or are refused.
 */
async function refundAtProvider(deps: Dependencies, refunds: RefundingProvider, step: Step): Promise<void> {
  const { store, auditLog, reverseOrder } = deps
  const { actor, order, moneyMinor, reason } = step
  const facts = await store.transaction((tx) => admitByRank(tx, actor, order))
  const way = order.provider
  // Before money moves, so that a crash hides nobody.
  await auditLog.record(actor, refundEvent(order, moneyMinor, { way, reason, ...facts }))
  const follow = () => reverseOrder(order.tradeNo, () => refunds.takenBackOf(order))
  try {
    await refunds.refund(order, moneyMinor, `${order.tradeNo}-refund-${order.revision}`)
  } catch (error) {
    const failed = isRefusal(error, 'top_up_refund_unknown') ? 'unknown' : true
    await auditLog.record(actor, refundEvent(order, moneyMinor, { way, failed }))
    // A refund that may have been made keeps its key: ordered again, it is made once. After a refused one another try is another refund.
    if (isRefusal(error, 'top_up_refund_refused'))
      await store.topUpOrders.raiseRevision(order.id, order.revision)
    if (isRefusal(error, 'top_up_changed')) await follow()
    throw error
  }
  await follow()
}

function isRefusal(error: unknown, code: RefusalCode): boolean {
  return error instanceof Refusal && error.code === code
}

function refundEvent(order: TopUpOrder, changeMinor: number, facts: object): AuditEvent {
  const { id, tradeNo, currency, userId, refundedMinor } = order
  return {
    action: 'top-up-order.refund',
    target: { kind: 'top-up-order', id, name: tradeNo },
    before: { refunded_minor: refundedMinor },
    after: {
      refunded_minor: refundedMinor + changeMinor,
      ...{ change_minor: changeMinor, currency, user_id: userId },
      ...facts,
    },
  }
}
