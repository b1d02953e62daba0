import type { TopUpProvider } from '@tollgate/api'
import type { SettingsReader } from '../../settings/settings.ts'
import type { TopUpOrder } from '../../store/money/top-up-orders.ts'
import { epayOrderForm } from './epay.ts'
import type { Checkout } from './orders.ts'
import type { TakenBack } from './reverse-order.ts'
import type { EndedPayment, StripePayments } from './stripe/payment-state.ts'
import type { StartStripeCheckout } from './stripe/start-checkout.ts'

/** Calls of one payment provider about an order; `topUpProviderFacts` says which have an effect there. */
export interface PaymentProvider {
  /** Starts the payment of an order that was just placed. */
  start(order: TopUpOrder): Promise<Checkout>
  /** The same payment again; refuses when the provider has ended it. */
  resume(order: TopUpOrder): Promise<Checkout>
  /** Ends a payment that nobody made yet, where the provider can. */
  end(order: TopUpOrder): Promise<EndedPayment>
  /** Absent for a provider that returns no money by its API. */
  readonly refunds?: RefundingProvider
}

export interface RefundingProvider {
  /**
   * Returns money to the payer. Two calls with one key make one refund.
   * @throws Refusal `top_up_refund_refused` when none was made, `top_up_changed` when the key made one of another amount, and
   * `top_up_refund_unknown` when the provider did not say: the same call with the same key is safe
   */
  refund(order: TopUpOrder, moneyMinor: number, key: string): Promise<void>
  takenBackOf(order: TopUpOrder): Promise<TakenBack>
}

interface Dependencies {
  readonly settings: SettingsReader
  readonly startStripeCheckout: StartStripeCheckout
  readonly payments: StripePayments
}

export type PaymentProviders = Readonly<Record<TopUpProvider, PaymentProvider>>

/** The calls of every payment provider. */
export function createPaymentProviders(deps: Dependencies): PaymentProviders {
  const { settings, startStripeCheckout, payments } = deps
  const epayForm = async (order: TopUpOrder) => epayOrderForm(settings.current, order)
  return {
    epay: { start: epayForm, resume: epayForm, end: async () => 'ended' },
    stripe: {
      start: startStripeCheckout,
      resume: async ({ providerTradeNo }) => ({
        url: await payments.openSessionUrl(providerTradeNo),
        httpMethod: 'GET',
        fields: {},
      }),
      end: async ({ providerTradeNo }) =>
        // Without a session nobody was ever sent there.
        providerTradeNo === '' ? 'ended' : await payments.endSession(providerTradeNo),
      refunds: {
        refund: ({ paymentId }, moneyMinor, key) => payments.refund(paymentId, moneyMinor, key),
        takenBackOf: ({ paymentId }) => payments.takenBackOf(paymentId),
      },
    },
  }
}
