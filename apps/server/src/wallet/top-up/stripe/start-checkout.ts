import { unixSeconds } from '@tollgate/base'
import { Refusal } from '../../../lib/refusal.ts'
import type { Services } from '../../../services.ts'
import type { TopUpOrder } from '../../../store/money/top-up-orders.ts'
import type { Checkout } from '../orders.ts'
import { quotaText } from './quota-text.ts'
import { type StripeAddress, stripeClient, withoutRequest } from './sdk.ts'

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'clock'> {
  readonly address: StripeAddress
}

/** Opens a Checkout session for a stored order. Refuses, and cancels the order, when Stripe does not open it. */
export type StartStripeCheckout = (order: TopUpOrder) => Promise<Checkout>

export function createStartStripeCheckout(deps: Dependencies): StartStripeCheckout {
  const { store, clock } = deps
  return async (order) => {
    try {
      const { id, url } = await openSession(deps, order)
      if (url === null) throw new Error('Stripe opened a session without an address')
      await store.topUpOrders.setProviderTradeNo(order.id, id)
      return { url, httpMethod: 'GET', fields: {} }
    } catch (error) {
      await store.topUpOrders.markUnpaid(order.id, 'failed', unixSeconds(clock))
      throw new Refusal('top_up_start_failed', {}, { cause: withoutRequest(error) })
    }
  }
}

async function openSession({ settings, address }: Dependencies, order: TopUpOrder) {
  const { StripeSecretKey, ServerAddress, SystemName } = settings.current
  const stripe = await stripeClient(StripeSecretKey, address)
  const name = `${SystemName} ${quotaText(settings.current, order.quota)}`.trim()
  return await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: order.tradeNo,
      line_items: [
        {
          quantity: 1,
          price_data: { currency: order.currency, unit_amount: order.moneyMinor, product_data: { name } },
        },
      ],
      success_url: `${ServerAddress}/log`,
      cancel_url: `${ServerAddress}/topup`,
    },
    { idempotencyKey: order.tradeNo },
  )
}
