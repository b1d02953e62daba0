import { type TopUpProvider, topUpProviderFacts } from '@tollgate/api'
import { type AuditEvent, gatewayActor } from '../../records/audit-log/audit-log.ts'
import type { Services } from '../../services.ts'
import type { PaymentRefused } from '../../store/change-events.ts'
import type { TopUpOrder } from '../../store/money/top-up-orders.ts'

/** Facts of a payment in a provider's message. */
export interface PaymentClaim {
  readonly provider: TopUpProvider
  /** The message's kind, in the provider's words. */
  readonly event: string
  /** Our number, as the message has it. Whoever pays may have chosen it: it finds an order, and proves nothing. */
  readonly tradeNo: string
  /** The provider's id of what the order was placed as: a session, a trade. */
  readonly providerTradeNo: string
  /** The provider's id of the payment; empty where it has none beside that. */
  readonly paymentId: string
  /** Amount in the smallest unit of `currency`; `undefined` where the message names no sum. */
  readonly moneyMinor: number | undefined
  readonly currency: string | undefined
  /** Set when the message confirms that money arrived; absent for one that need not. */
  readonly isPaid?: boolean
}

/** Part of a message that contradicts the order whose number it has. */
type Mismatch = 'provider' | 'provider_trade_no' | 'payment_id' | 'money' | 'currency' | 'payment_status'

/** The order of a message; that there is none; or that the message contradicts it. */
export type Match = { readonly order: TopUpOrder } | 'unknown' | 'mismatch'

interface Dependencies extends Pick<Services, 'store' | 'auditLog' | 'logger'> {
  readonly announce: (refused: PaymentRefused) => void
}

/**
 * Finds the order that a provider's message is about, by what the provider itself named it. A message that only has its number is
 * recorded in the audit log and announced, once, and has no effect. Stores the ids of a payment that were not known.
 */
export function createMatchPayment({ store, auditLog, logger, announce }: Dependencies) {
  async function refuse(order: TopUpOrder, claim: PaymentClaim, mismatch: Mismatch): Promise<Match> {
    const { id: targetId, tradeNo } = order
    const event = refusalEvent(order, claim, mismatch)
    const filter = { action: event.action, targetKind: event.target.kind, targetId }
    const { rows } = await store.auditLog.page(filter, { offset: 0, limit: 100 })
    if (rows.some(({ after }) => isAbout(after, claim))) return 'mismatch'
    logger.warn(
      { order: tradeNo, ...event.after },
      'a payment names this order and differs from it, so nothing is credited: compare both at the payment provider',
    )
    await auditLog.record(gatewayActor, event)
    announce({ tradeNo, provider: claim.provider, payment: claimedId(claim), mismatch })
    return 'mismatch'
  }

  return async (claim: PaymentClaim): Promise<Match> => {
    const order = await store.topUpOrders.findByTradeNo(claim.tradeNo)
    if (order === undefined) return 'unknown'
    const mismatch = mismatchOf(order, claim)
    if (mismatch !== undefined) return await refuse(order, claim, mismatch)
    if (lacksIds(order, claim)) await store.topUpOrders.setPaymentIds(order.id, claim)
    return { order }
  }
}

export type MatchPayment = ReturnType<typeof createMatchPayment>

/** The first contradiction between an order, in whatever state, and a message; `undefined` when it is about this order. */
function mismatchOf(order: TopUpOrder, claim: PaymentClaim): Mismatch | undefined {
  if (order.provider !== claim.provider) return 'provider'
  // From a provider that names orders when they are placed, a message without that name is about something else, and an order
  // without one was never shown to anybody who could pay it.
  const isUnnamed = order.providerTradeNo === '' && !topUpProviderFacts[order.provider].namesWhenPlaced
  if (claim.providerTradeNo === '' || !(isUnnamed || order.providerTradeNo === claim.providerTradeNo))
    return 'provider_trade_no'
  const knowsPayment = order.paymentId !== '' && claim.paymentId !== ''
  if (knowsPayment && order.paymentId !== claim.paymentId) return 'payment_id'
  if (claim.currency !== order.currency) return 'currency'
  if (claim.moneyMinor !== order.moneyMinor) return 'money'
  return claim.isPaid === false ? 'payment_status' : undefined
}

/**
 * Decides whether an order lacks ids of its payment. A paid one was completed by hand, or before such ids were stored; any other gets
 * them with its credit.
 */
function lacksIds(order: TopUpOrder, claim: PaymentClaim): boolean {
  if (order.status !== 'success') return false
  return order.providerTradeNo === '' || (order.paymentId === '' && claim.paymentId !== '')
}

function claimedId({ paymentId, providerTradeNo }: PaymentClaim): string {
  return paymentId || providerTradeNo
}

function isAbout(after: string, { providerTradeNo, paymentId }: PaymentClaim): boolean {
  const known = JSON.parse(after || '{}') as Readonly<Record<string, unknown>>
  return known['provider_trade_no'] === providerTradeNo && known['payment_id'] === paymentId
}

function refusalEvent(order: TopUpOrder, claim: PaymentClaim, mismatch: Mismatch) {
  const { currency = '', moneyMinor } = claim
  return {
    action: 'top-up-order.refuse-payment',
    target: { kind: 'top-up-order', id: order.id, name: order.tradeNo },
    after: {
      mismatch,
      event: claim.event,
      provider: claim.provider,
      provider_trade_no: claim.providerTradeNo,
      payment_id: claim.paymentId,
      money_minor: moneyMinor ?? '',
      currency,
      status: order.status,
    },
  } as const satisfies AuditEvent
}
