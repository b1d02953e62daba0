import { unixSeconds } from '@tollgate/base'
import { z } from 'zod'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import type { TopUpOrder } from '../../store/repositories/top-up-orders.ts'
import type { CompleteOrder } from '../complete-order.ts'
import type { ReverseOrder } from '../reverse-order.ts'
import type { StripePayments } from './payment-state.ts'
import { stripeWebhooks } from './sdk.ts'

/** The fields in use of a Checkout session. https://docs.stripe.com/api/checkout/sessions/object */
const checkoutSession = z.object({
  id: z.string(),
  client_reference_id: z.string().nullish(),
  payment_status: z.string().nullish(),
  amount_total: z.number().nullish(),
  currency: z.string().nullish(),
})
type Session = z.output<typeof checkoutSession>

const stripeEvent = z.object({
  type: z.string(),
  data: z.object({
    object: checkoutSession.extend({
      /** Of a charge, a refund or a dispute. */
      payment_intent: z.string().nullish(),
    }),
  }),
})

/** Events after which Stripe may have taken back more or less of a payment. https://docs.stripe.com/api/events/types */
const reversingEvents: ReadonlySet<string> = new Set([
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
])

/** The outcome of an event, as the provider's log of deliveries shows it. */
export type StripeReply = 'credited' | 'noted' | 'ignored'

interface Dependencies extends Pick<Services, 'store' | 'clock'> {
  readonly completeOrder: CompleteOrder
  readonly reverseOrder: ReverseOrder
  readonly payments: StripePayments
}

/**
 * Handles an event whose signature was verified. Ignores events about anything but our orders: one account of Stripe
 * may sell other things, too. Refuses a payment that does not match its order.
 */
export function createStripeEvents(deps: Dependencies) {
  return async (body: Uint8Array): Promise<StripeReply> => {
    const event = stripeEvent.safeParse(parsedJson(body))
    if (!event.success) return 'ignored'
    const { type, data } = event.data
    return reversingEvents.has(type)
      ? takeReversal(deps, data.object.payment_intent ?? '')
      : takeSession(deps, type, data.object)
  }
}

/**
 * The balance follows what Stripe says of the payment now. A payment whose own event is still on its way is credited first, so
 * that this event cannot credit it afterwards.
 */
async function takeReversal(deps: Dependencies, payment: string): Promise<StripeReply> {
  const { store, payments, completeOrder, reverseOrder } = deps
  const session = payment === '' ? undefined : await payments.sessionOf(payment)
  const order = await store.topUpOrders.findByTradeNo(session?.client_reference_id ?? '')
  if (session === undefined || order?.provider !== 'stripe') return 'ignored'
  if (order.status !== 'success') {
    refuseMismatch(session, order)
    await completeOrder(order, { providerTradeNo: session.id })
  }
  await reverseOrder(order.tradeNo, () => payments.takenBackOf(payment))
  return 'noted'
}

async function takeSession(
  { store, completeOrder, clock }: Dependencies,
  type: string,
  session: Session,
): Promise<StripeReply> {
  const order = await store.topUpOrders.findByTradeNo(session.client_reference_id ?? '')
  if (order?.provider !== 'stripe') return 'ignored'
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      // Ways to pay that take days complete first, and are paid, or not, later.
      if (session.payment_status === 'unpaid') return 'noted'
      refuseMismatch(session, order)
      await completeOrder(order, { providerTradeNo: session.id })
      return 'credited'
    case 'checkout.session.expired':
      await store.topUpOrders.markUnpaid(order.id, 'expired', unixSeconds(clock))
      return 'noted'
    case 'checkout.session.async_payment_failed':
      await store.topUpOrders.markUnpaid(order.id, 'failed', unixSeconds(clock))
      return 'noted'
    default:
      return 'ignored'
  }
}

/** The session's id is unknown when the process ended between opening it and storing it. */
function refuseMismatch(session: Session, order: TopUpOrder): void {
  const isOurs = order.providerTradeNo === '' || order.providerTradeNo === session.id
  const isPaid = session.payment_status === 'paid'
  const isExact = session.amount_total === order.moneyMinor && session.currency === order.currency
  if (!isOurs || !isPaid || !isExact) throw new Refusal('top_up_notice_mismatch')
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

/** Whether an event was signed recently with the secret of our endpoint. Without a secret no event is. */
export function createVerifyStripeEvent({ settings, clock }: Pick<Services, 'settings' | 'clock'>) {
  return async (body: Uint8Array, signature: string | null): Promise<boolean> => {
    const secret = settings.current.StripeWebhookSecret
    if (secret === '' || signature === null) return false
    const webhooks = await stripeWebhooks()
    try {
      await webhooks.constructEventAsync(
        Buffer.from(body),
        signature,
        secret,
        toleranceSeconds,
        undefined,
        clock.now(),
      )
      return true
    } catch {
      return false
    }
  }
}
