import type { ConsoleRoute } from '../http/console/route.ts'
import { explainedRoutes } from '../http/console/wallet/explained-routes.ts'
import { paymentRoutes } from '../http/console/wallet/payment-routes.ts'
import { redemptionRoutes } from '../http/console/wallet/redemption-routes.ts'
import { statementRoutes } from '../http/console/wallet/statement-routes.ts'
import { type WalletDependencies, walletRoutes } from '../http/console/wallet/wallet-routes.ts'
import type { PaymentReversed } from '../store/change-events.ts'
import { createChargeLinks } from '../wallet/explained/charge-links.ts'
import { createGoodwill, type Goodwill } from '../wallet/explained/goodwill.ts'
import { createManageCodes } from '../wallet/redemptions/manage-codes.ts'
import { createRedeemCode } from '../wallet/redemptions/redeem-code.ts'
import { createStatements } from '../wallet/statements/statements.ts'
import { createCompleteOrder } from '../wallet/top-up/complete-order.ts'
import { createEndOrder } from '../wallet/top-up/end-order.ts'
import { createEpayNotices, createVerifyEpay } from '../wallet/top-up/epay.ts'
import { createMatchPayment } from '../wallet/top-up/match-payment.ts'
import { walletInfo } from '../wallet/top-up/methods.ts'
import { createOrders } from '../wallet/top-up/orders.ts'
import { createOrderPlacement } from '../wallet/top-up/place-order.ts'
import { createPaymentProviders } from '../wallet/top-up/providers.ts'
import { createRefundOrder, type OrderRefunds } from '../wallet/top-up/refund-order.ts'
import { createRefusedNotices } from '../wallet/top-up/refused-notices.ts'
import { createReverseByHand, createReverseOrder } from '../wallet/top-up/reverse-order.ts'
import { createStripeEvents, createVerifyStripeEvent } from '../wallet/top-up/stripe/events.ts'
import { createStripePayments } from '../wallet/top-up/stripe/payment-state.ts'
import { createStartStripeCheckout } from '../wallet/top-up/stripe/start-checkout.ts'
import type { AllServices } from './services.ts'

type WalletBase = Pick<
  AllServices,
  'store' | 'ledger' | 'settings' | 'auditLog' | 'vault' | 'clock' | 'bus' | 'logger'
> & {
  readonly config: Pick<AllServices['config'], 'STRIPE_API_URL'>
  readonly orderFile: WalletDependencies['orderFile']
}

export interface WalletParts {
  readonly routes: readonly ConsoleRoute[]
  readonly refunds: OrderRefunds
  readonly goodwill: Goodwill
}

/** Redemption codes, the wallet, and the endpoints that payment providers call; and the refunds, which an undo takes back. */
export function composeWallet(base: WalletBase): WalletParts {
  const { settings, config, bus } = base
  const completeOrder = createCompleteOrder(base)
  const reversals = {
    ...base,
    announce: (reversed: PaymentReversed) => bus.publish('payment-reversed', reversed),
  }
  const reverseOrder = createReverseOrder(reversals)
  const matchPayment = createMatchPayment({
    ...base,
    announce: (refused) => bus.publish('payment-refused', refused),
  })
  const refused = createRefusedNotices(base)
  const payments = createStripePayments({ settings, address: config.STRIPE_API_URL })
  const startStripeCheckout = createStartStripeCheckout({ ...base, address: config.STRIPE_API_URL })
  const providers = createPaymentProviders({ settings, startStripeCheckout, payments })
  const orders = { ...base, providers, completeOrder, reverseOrder }
  const refunds = createRefundOrder({ ...orders, reverseByHand: createReverseByHand(reversals) })
  const goodwill = createGoodwill(base)
  const routes = [
    ...explainedRoutes({ links: createChargeLinks(base), goodwill, settings }),
    ...redemptionRoutes({ codes: createManageCodes(base) }),
    ...walletRoutes({
      ...base,
      redeem: createRedeemCode(base),
      createOrders: createOrderPlacement(orders),
      orders: createOrders(base),
      endOrder: createEndOrder(orders),
      refunds,
      infoFor: (group) => walletInfo(settings.current, group),
    }),
    ...statementRoutes({ statements: createStatements(base), clock: base.clock }),
    ...paymentRoutes({
      isSignedByEpay: createVerifyEpay({ settings, refused }),
      takeEpayNotice: createEpayNotices({ settings, matchPayment, completeOrder, refused }),
      isSignedByStripe: createVerifyStripeEvent({ ...base, refused }),
      takeStripeEvent: createStripeEvents({ ...orders, matchPayment, payments, refused }),
    }),
  ]
  return { routes, refunds, goodwill }
}
