import type Stripe from 'stripe'
import { Refusal } from '../../../lib/refusal.ts'
import type { Services } from '../../../services.ts'
import type { TakenBack } from '../reverse-order.ts'
import { refundRefusalOf, type StripeAddress, stripeClient, withoutRequest } from './sdk.ts'

/** The fields in use of the Checkout session that a payment was made in. */
export type PaidSession = Pick<
  Stripe.Checkout.Session,
  'id' | 'client_reference_id' | 'payment_status' | 'amount_total' | 'currency'
>

/** State of a payment after it was told to end: `paid` where the money had arrived before. */
export type EndedPayment = 'ended' | 'paid'

interface Dependencies extends Pick<Services, 'settings'> {
  readonly address: StripeAddress
}

/**
 * Asks Stripe about a payment. Events say that something changed, and arrive late, twice and in any order; these calls say what
 * is. Refuses when Stripe cannot be asked, so that it sends the event again.
 */
export function createStripePayments({ settings, address }: Dependencies) {
  async function ask<Result>(call: (stripe: Stripe) => Promise<Result>): Promise<Result> {
    try {
      return await call(await stripeClient(settings.current.StripeSecretKey, address))
    } catch (error) {
      throw new Refusal('top_up_provider_failed', {}, { cause: withoutRequest(error) })
    }
  }

  return {
    /** The address of a session that can still be paid; refuses another. */
    async openSessionUrl(id: string): Promise<string> {
      const session = await ask((stripe) => stripe.checkout.sessions.retrieve(id))
      if (session.status !== 'open' || session.url === null) throw new Refusal('top_up_payment_ended')
      return session.url
    },
    /** Ends a session that nobody has paid. */
    endSession: (id: string): Promise<EndedPayment> =>
      ask(async (stripe) => {
        const { status } = await stripe.checkout.sessions.retrieve(id)
        if (status === 'complete') return 'paid'
        if (status === 'open') await stripe.checkout.sessions.expire(id)
        return 'ended'
      }),
    /** Returns money to the payer, once for each key. Throws the refusals of `RefundingProvider`. */
    async refund(payment: string, moneyMinor: number, key: string): Promise<void> {
      const refund = { payment_intent: payment, amount: moneyMinor }
      try {
        const stripe = await stripeClient(settings.current.StripeSecretKey, address)
        await stripe.refunds.create(refund, { idempotencyKey: key })
      } catch (error) {
        throw new Refusal(refundRefusalOf(error), {}, { cause: withoutRequest(error) })
      }
    },
    /** `undefined` for a payment that was made otherwise than in Checkout. */
    sessionOf: (payment: string): Promise<PaidSession | undefined> =>
      ask(
        async (stripe) =>
          (await stripe.checkout.sessions.list({ payment_intent: payment, limit: 1 })).data[0],
      ),
    takenBackOf: (payment: string): Promise<TakenBack> =>
      ask(async (stripe) => {
        const about = { payment_intent: payment, limit: 100 }
        const [refunds, disputes] = await Promise.all([
          stripe.refunds.list(about).autoPagingToArray({ limit: 10_000 }),
          stripe.disputes.list(about).autoPagingToArray({ limit: 10_000 }),
        ])
        const standing = disputes.filter(isStanding)
        return {
          refundedMinor: sumOf(refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled')),
          disputedMinor: sumOf(standing),
          hasLostDispute: standing.some(({ status }) => status === 'lost'),
        }
      }),
  }
}

export type StripePayments = ReturnType<typeof createStripePayments>

/**
 * Recognises a dispute by which Stripe has withdrawn the money. An inquiry (`warning_…`) withdraws none.
 * https://docs.stripe.com/disputes/how-disputes-work
 */
function isStanding({ status }: Pick<Stripe.Dispute, 'status'>): boolean {
  return !status.startsWith('warning_') && status !== 'won' && status !== 'prevented'
}

function sumOf(items: readonly { readonly amount: number }[]): number {
  return items.reduce((sum, { amount }) => sum + amount, 0)
}
