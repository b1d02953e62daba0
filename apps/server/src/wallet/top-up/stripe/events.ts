import { unixSeconds } from '@tollgate/base'
import { z } from 'zod'
import { Refusal } from '../../../lib/refusal.ts'
import type { Services } from '../../../services.ts'
import type { TopUpOrder } from '../../../store/money/top-up-orders.ts'
import type { CompleteOrder } from '../complete-order.ts'
import type { Match, MatchPayment, PaymentClaim } from '../match-payment.ts'
import type { createRefusedNotices } from '../refused-notices.ts'
import type { ReverseOrder } from '../reverse-order.ts'
import type { StripePayments } from './payment-state.ts'
import { stripeWebhooks } from './sdk.ts'

/** The fields in use of a Checkout session. https://docs.stripe.com/api/checkout/sessions/object */
const checkoutSession = z.object({
  id: z.string().nullish(),
  client_reference_id: z.string().nullish(),
  payment_status: z.string().nullish(),
  amount_total: z.number().nullish(),
  currency: z.string().nullish(),
  /** Also of a charge, a refund and a dispute. */
  payment_intent: z.string().nullish(),
})
type Session = z.output<typeof checkoutSession>

const stripeEvent = z.object({ type: z.string(), data: z.object({ object: checkoutSession }) })

/**
 * The events in use, and what each is about. After a `reversal` Stripe may have taken back more or less of a payment.
 * https://docs.stripe.com/api/events/types
 */
export const stripeEvents = {
  'checkout.session.completed': 'paid',
  'checkout.session.async_payment_succeeded': 'paid',
  'checkout.session.expired': 'expired',
  'checkout.session.async_payment_failed': 'failed',
  'charge.refunded': 'reversal',
  'charge.refund.updated': 'reversal',
  'refund.created': 'reversal',
  'refund.updated': 'reversal',
  'refund.failed': 'reversal',
  'charge.dispute.created': 'reversal',
  'charge.dispute.updated': 'reversal',
  'charge.dispute.funds_withdrawn': 'reversal',
  'charge.dispute.funds_reinstated': 'reversal',
  'charge.dispute.closed': 'reversal',
} as const satisfies Readonly<Record<string, 'paid' | 'expired' | 'failed' | 'reversal'>>
type EventType = keyof typeof stripeEvents

/** The outcome of an event, as the provider's log of deliveries shows it. */
export type StripeReply = 'credited' | 'noted' | 'ignored'

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'clock'> {
  readonly matchPayment: MatchPayment
  readonly completeOrder: CompleteOrder
  readonly reverseOrder: ReverseOrder
  readonly payments: StripePayments
  readonly refused: ReturnType<typeof createRefusedNotices>
}

/**
 * Handles an event whose signature was verified. Ignores events about anything but our orders: one account of Stripe
 * may sell other things, too. Refuses one that has the number of an order and is not about it.
 */
export function createStripeEvents(deps: Dependencies) {
  return async (body: Uint8Array): Promise<StripeReply> => {
    const event = stripeEvent.safeParse(parsedJson(body))
    if (!event.success || !isInUse(event.data.type)) return 'ignored'
    const { type, data } = event.data
    return stripeEvents[type] === 'reversal'
      ? takeReversal(deps, type, data.object.payment_intent ?? '')
      : takeSession(deps, type, data.object)
  }
}

function isInUse(type: string): type is EventType {
  return Object.hasOwn(stripeEvents, type)
}

/**
 * The balance follows what Stripe says of the payment now. A payment whose own event is still on its way is credited first, so
 * that this event cannot credit it afterwards.
 */
async function takeReversal(deps: Dependencies, type: EventType, paymentId: string): Promise<StripeReply> {
  const { payments, completeOrder, reverseOrder } = deps
  const order = paymentId === '' ? undefined : await orderOfPayment(deps, type, paymentId)
  if (order === undefined) return 'ignored'
  if (order.status !== 'success')
    await completeOrder(order, { providerTradeNo: order.providerTradeNo, paymentId })
  await reverseOrder(order.tradeNo, () => payments.takenBackOf(paymentId))
  return 'noted'
}

/** The order whose payment this is, as it was stored, or as the session says that Stripe made it in. */
async function orderOfPayment(
  { store, payments, matchPayment }: Dependencies,
  type: EventType,
  paymentId: string,
): Promise<TopUpOrder | undefined> {
  const paid = await store.topUpOrders.findByPaymentId('stripe', paymentId)
  if (paid !== undefined) return paid
  const session = await payments.sessionOf(paymentId)
  if (session === undefined) return undefined
  return matchedOrder(await matchPayment({ ...claimOf(type, session), paymentId, isPaid: isPaid(session) }))
}

async function takeSession(deps: Dependencies, type: EventType, session: Session): Promise<StripeReply> {
  const { store, matchPayment, completeOrder, clock } = deps
  const kind = stripeEvents[type]
  // Ways to pay that take days complete first, and are paid, or not, later.
  const isLate = kind === 'paid' && session.payment_status === 'unpaid'
  const claim = claimOf(type, session)
  const mustBePaid = kind === 'paid' && !isLate
  const order = matchedOrder(await matchPayment(mustBePaid ? { ...claim, isPaid: isPaid(session) } : claim))
  if (order === undefined) return 'ignored'
  if (isLate) return 'noted'
  if (kind === 'paid') {
    await completeOrder(order, claim)
    return 'credited'
  }
  await store.topUpOrders.markUnpaid(order.id, kind === 'expired' ? 'expired' : 'failed', unixSeconds(clock))
  return 'noted'
}

function claimOf(event: EventType, session: Session): PaymentClaim {
  return {
    provider: 'stripe',
    event,
    tradeNo: session.client_reference_id ?? '',
    providerTradeNo: session.id ?? '',
    paymentId: session.payment_intent ?? '',
    moneyMinor: session.amount_total ?? undefined,
    currency: session.currency ?? undefined,
  }
}

function isPaid({ payment_status }: Pick<Session, 'payment_status'>): boolean {
  return payment_status === 'paid'
}

function matchedOrder(match: Match): TopUpOrder | undefined {
  if (match === 'mismatch') throw new Refusal('top_up_notice_mismatch')
  return match === 'unknown' ? undefined : match.order
}

function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

/** Oldest event that is accepted, against replays of a recorded one. Stripe's own advice. */
const toleranceSeconds = 300

/** Creates the check that an event was signed recently with the secret of our endpoint. Without a secret none is. */
export function createVerifyStripeEvent(deps: Pick<Dependencies, 'settings' | 'clock' | 'refused'>) {
  return async (body: Uint8Array, signature: string | null): Promise<boolean> => {
    const secret = deps.settings.current.StripeWebhookSecret
    if (secret === '' || signature === null) return false
    const webhooks = await stripeWebhooks()
    try {
      await webhooks.constructEventAsync(
        Buffer.from(body),
        signature,
        secret,
        toleranceSeconds,
        undefined,
        deps.clock.now(),
      )
      return true
    } catch {
      deps.refused('stripe', 'signature')
      return false
    }
  }
}
