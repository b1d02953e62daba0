import type { ConsoleRoute } from '../http/console/route.ts'
import { paymentRoutes } from '../http/console/wallet/payment-routes.ts'
import { redemptionRoutes } from '../http/console/wallet/redemption-routes.ts'
import { walletRoutes } from '../http/console/wallet/wallet-routes.ts'
import { createManageCodes } from '../wallet/redemptions/manage-codes.ts'
import { createRedeemCode } from '../wallet/redemptions/redeem-code.ts'
import { createCompleteOrder } from '../wallet/top-up/complete-order.ts'
import { createEpayNotices, isSignedByEpay } from '../wallet/top-up/epay.ts'
import { createMatchPayment } from '../wallet/top-up/match-payment.ts'
import { walletInfo } from '../wallet/top-up/methods.ts'
import { createOrders } from '../wallet/top-up/orders.ts'
import { createOrderPlacement } from '../wallet/top-up/place-order.ts'
import { createReverseOrder } from '../wallet/top-up/reverse-order.ts'
import { createStripeEvents, createVerifyStripeEvent } from '../wallet/top-up/stripe/events.ts'
import { createStripePayments } from '../wallet/top-up/stripe/payment-state.ts'
import { createStartStripeCheckout } from '../wallet/top-up/stripe/start-checkout.ts'
import type { AllServices } from './services.ts'

type WalletBase = Pick<
  AllServices,
  'store' | 'ledger' | 'settings' | 'auditLog' | 'vault' | 'clock' | 'bus' | 'logger'
> & {
  readonly config: Pick<AllServices['config'], 'STRIPE_API_URL'>
}

/** Redemption codes, the wallet, and the endpoints that payment providers call. */
export function composeWallet(base: WalletBase): ConsoleRoute[] {
  const { settings, config, bus } = base
  const completeOrder = createCompleteOrder(base)
  const reverseOrder = createReverseOrder({
    ...base,
    announce: (reversed) => bus.publish('payment-reversed', reversed),
  })
  const matchPayment = createMatchPayment({
    ...base,
    announce: (refused) => bus.publish('payment-refused', refused),
  })
  const startStripeCheckout = createStartStripeCheckout({ ...base, address: config.STRIPE_API_URL })
  return [
    ...redemptionRoutes({ codes: createManageCodes(base) }),
    ...walletRoutes({
      redeem: createRedeemCode(base),
      createOrders: createOrderPlacement({ ...base, startStripeCheckout }),
      orders: createOrders({ ...base, completeOrder }),
      infoFor: (group) => walletInfo(settings.current, group),
    }),
    ...paymentRoutes({
      isSignedByEpay: (fields) => isSignedByEpay(fields, settings.current.EpayKey),
      takeEpayNotice: createEpayNotices({ settings, matchPayment, completeOrder }),
      isSignedByStripe: createVerifyStripeEvent(base),
      takeStripeEvent: createStripeEvents({
        ...base,
        matchPayment,
        completeOrder,
        reverseOrder,
        payments: createStripePayments({ settings, address: config.STRIPE_API_URL }),
      }),
    }),
  ]
}
