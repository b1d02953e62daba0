import type { SettingKey } from '@tollgate/api/settings'
import { createLogger } from '../../../lib/logger.ts'
import { createAuditLog } from '../../../records/audit-log/audit-log.ts'
import type { PaymentRefused, PaymentReversed } from '../../../store/change-events.ts'
import { createChargeLinks } from '../../../wallet/explained/charge-links.ts'
import { createGoodwill } from '../../../wallet/explained/goodwill.ts'
import { createManageCodes } from '../../../wallet/redemptions/manage-codes.ts'
import { createRedeemCode } from '../../../wallet/redemptions/redeem-code.ts'
import { createStatements } from '../../../wallet/statements/statements.ts'
import { createCompleteOrder } from '../../../wallet/top-up/complete-order.ts'
import { createEndOrder } from '../../../wallet/top-up/end-order.ts'
import { createEpayNotices, createVerifyEpay, epaySignature } from '../../../wallet/top-up/epay.ts'
import { createMatchPayment } from '../../../wallet/top-up/match-payment.ts'
import { walletInfo } from '../../../wallet/top-up/methods.ts'
import { exportOrders } from '../../../wallet/top-up/order-export.ts'
import { createOrders } from '../../../wallet/top-up/orders.ts'
import { createOrderPlacement } from '../../../wallet/top-up/place-order.ts'
import { createPaymentProviders } from '../../../wallet/top-up/providers.ts'
import { createRefundOrder, type OrderRefunds } from '../../../wallet/top-up/refund-order.ts'
import { createRefusedNotices } from '../../../wallet/top-up/refused-notices.ts'
import { createReverseByHand, createReverseOrder } from '../../../wallet/top-up/reverse-order.ts'
import { createStripeEvents, createVerifyStripeEvent } from '../../../wallet/top-up/stripe/events.ts'
import { createStripePayments } from '../../../wallet/top-up/stripe/payment-state.ts'
import { createStartStripeCheckout } from '../../../wallet/top-up/stripe/start-checkout.ts'
import type { ConsoleRoute } from '../route.ts'
import { explainedRoutes } from '../wallet/explained-routes.ts'
import { paymentRoutes } from '../wallet/payment-routes.ts'
import { redemptionRoutes } from '../wallet/redemption-routes.ts'
import { statementRoutes } from '../wallet/statement-routes.ts'
import { walletRoutes } from '../wallet/wallet-routes.ts'
import { consoleFixture, type FixtureOptions, type FixtureParts } from './console-fixture.ts'

export const epayKey = 'the merchant key'

const paymentSettings = {
  ServerAddress: 'https://gate.example',
  PayAddress: 'https://pay.example/',
  EpayId: '1001',
  EpayKey: epayKey,
  TopupGroupRatio: '{"default":1,"vip":0.5}',
}

interface Heard {
  readonly reversed: PaymentReversed[]
  readonly refused: PaymentRefused[]
  /** Refunds of the routes, for their undo, which is a route of the audit log. */
  refunds?: OrderRefunds
}

function routesOf(parts: FixtureParts, stripe: URL | undefined, heard: Heard): ConsoleRoute[] {
  const { settings } = parts
  const deps = { ...parts, auditLog: createAuditLog(parts) }
  const completeOrder = createCompleteOrder(deps)
  const matchPayment = createMatchPayment({
    ...deps,
    logger: createLogger('silent'),
    announce: (each) => heard.refused.push(each),
  })
  const refused = createRefusedNotices({ logger: createLogger('silent') })
  const payments = createStripePayments({ settings, address: stripe })
  const startStripeCheckout = createStartStripeCheckout({ ...deps, address: stripe })
  const providers = createPaymentProviders({ settings, startStripeCheckout, payments })
  const reversals = { ...deps, announce: (each: PaymentReversed) => heard.reversed.push(each) }
  const reverseOrder = createReverseOrder(reversals)
  const orders = { ...deps, providers, completeOrder, reverseOrder }
  const refunds = createRefundOrder({ ...orders, reverseByHand: createReverseByHand(reversals) })
  heard.refunds = refunds
  return [
    ...redemptionRoutes({ codes: createManageCodes(deps) }),
    ...walletRoutes({
      ...deps,
      redeem: createRedeemCode(deps),
      createOrders: createOrderPlacement(orders),
      orders: createOrders(deps),
      orderFile: (search, reader) => exportOrders(createOrders(deps).batches(search), reader),
      endOrder: createEndOrder(orders),
      refunds,
      infoFor: (group) => walletInfo(settings.current, group),
    }),
    ...explainedRoutes({ links: createChargeLinks(deps), goodwill: createGoodwill(deps), settings }),
    ...statementRoutes({ statements: createStatements(deps), clock: deps.clock }),
    ...paymentRoutes({
      isSignedByEpay: createVerifyEpay({ settings, refused }),
      takeEpayNotice: createEpayNotices({ settings, matchPayment, completeOrder, refused }),
      isSignedByStripe: createVerifyStripeEvent({ ...deps, refused }),
      takeStripeEvent: createStripeEvents({
        ...deps,
        matchPayment,
        completeOrder,
        reverseOrder,
        payments,
        refused,
      }),
    }),
  ]
}

/** A console with the wallet's routes. @param options `stripe` is the address of Stripe's API */
export async function walletFixture(
  options: Omit<FixtureOptions, 'routes' | 'fresh'> & { readonly stripe?: URL } = {},
) {
  const { stripe, settings, ...rest } = options
  const heard: Heard = { reversed: [], refused: [] }
  const fixture = await consoleFixture({
    ownStore: true,
    ...rest,
    routes: (parts) => routesOf(parts, stripe, heard),
  })
  const { store, createUser, loggedIn, send, raw } = fixture
  for (const [key, text] of Object.entries({ ...paymentSettings, ...settings }))
    await fixture.settings.set(key as SettingKey, text)

  /** Somebody with a console, who gets the envelope of each call. */
  async function person(fields: Parameters<typeof createUser>[0] = {}) {
    const user = await createUser(fields)
    const headers = await loggedIn(user)
    const call = async (method: string, path: string, body?: unknown) =>
      (await send(method, path, { headers, ...(body !== undefined && { body }) }))
        .envelope as unknown as JsonBody
    return { ...user, call, quota: async () => (await store.ledger.balanceOf('user', user.id)) ?? 0 }
  }

  /** A provider's notice, rightly signed unless `sign` says otherwise; answers status and text. */
  async function notify(fields: Record<string, string>, method: 'GET' | 'POST' = 'GET') {
    const signed = { sign: epaySignature(fields, epayKey), sign_type: 'MD5', ...fields }
    const text = new URLSearchParams(signed).toString()
    const path = '/api/user/epay/notify'
    const response =
      method === 'GET'
        ? await raw('GET', `${path}?${text}`)
        : await raw('POST', path, {
            body: text,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          })
    return `${response.status} ${await response.text()}`
  }

  const { reversed, refused, refunds } = heard
  if (refunds === undefined) throw new Error('the routes were not made')
  return { ...fixture, person, notify, reversed, refused, refunds }
}

/** Data of any shape that a call responds with. */
// biome-ignore lint/suspicious/noExplicitAny: what is in it is for the test to say
export type JsonBody = Record<string, any>
